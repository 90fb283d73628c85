import { flag, integer, list, must, text } from '../../setting-kinds.ts';

export const ingestSettings = {
  ingestOrigins: text(
    {
      variable: 'MOORING_INGEST_ORIGINS',
      description:
        'Sites whose pages may send logs to `POST /logs` from browsers, with commas, such as `https://shop.example.com`; `*` for all. Unset: none, and only apps send.',
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
        'Whether what devices send is read and written by a thread of its own, so that everybody else is answered meanwhile. Off, a process takes some 40 MB less once the first device sends.',
    },
    true,
  ),
  ingestMbPerHour: integer(
    {
      variable: 'MOORING_INGEST_MB_PER_HOUR',
      description:
        'MiB of logs, as JSON, that the devices of one app may send within an hour. Beyond that SDKs get 503, keep their logs and send them later. 0: no limit.',
    },
    10_240,
    0,
    10_485_760,
  ),
  ingestQueueMb: integer(
    {
      variable: 'MOORING_INGEST_QUEUE_MB',
      description:
        'How much of what devices send may wait in the memory of one process to be written, in MiB; beyond that they are told to come back later.',
    },
    64,
    16,
    4096,
  ),
};
