import { flag, integer, list, must, type SettingValues, text } from '../../setting-kinds.ts';

export const ingestSettings = {
  ingestOrigins: text(
    {
      variable: 'MOORING_INGEST_ORIGINS',
      description:
        'Comma-separated origins of websites whose pages may send logs to `POST /logs`, such as `https://shop.example.com`; `*`: all. Unset: only apps can send logs.',
    },
    '',
    (value) => {
      const origins = list(value);
      for (const origin of origins) {
        const isOrigin = origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin);
        must(isOrigin, 'origins such as https://shop.example.com, or *');
      }
      return origins;
    },
  ),
  ingestThread: flag(
    {
      variable: 'MOORING_INGEST_THREAD',
      description:
        'Reads and writes logs of devices in a separate thread, so that other requests are not delayed. Off: a process needs about 40 MB less memory once the first device sends logs.',
    },
    true,
  ),
  ingestMbPerHour: integer(
    {
      variable: 'MOORING_INGEST_MB_PER_HOUR',
      description:
        'MiB of logs, as JSON, that the devices of one app may send per hour. Beyond that, SDKs get 503, keep their logs and send them later. 0: no limit.',
    },
    10_240,
    0,
    10_485_760,
  ),
  ingestQueueMb: integer(
    {
      variable: 'MOORING_INGEST_QUEUE_MB',
      description:
        'Logs that may wait in the memory of one process to be written, in MiB. Beyond that, devices must retry later.',
    },
    64,
    16,
    4096,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof ingestSettings> {}
}
