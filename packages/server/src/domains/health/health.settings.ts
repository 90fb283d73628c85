import { parseWindow } from '../../kernel/duration.ts';
import { integer, must, optional, type SettingValues, text } from '../../setting-kinds.ts';

export const healthSettings = {
  vendorName: text(
    {
      variable: 'MOORING_VENDOR_NAME',
      description:
        'Vendor name before `.ResourceHealth` in the URLs of the health API, and in `enable…Support`. Set it to the name that your clients use. URLs with `Vendor` always work.',
    },
    'Vendor',
    (value) => {
      must(/^[A-Za-z]{1,50}$/.test(value), 'a name of 1 to 50 letters');
      return value;
    },
  ),
  healthApiVersions: text(
    {
      variable: 'MOORING_HEALTH_API_VERSIONS',
      description: 'Additional versions of the health API, comma-separated, served in the same way as 2024-02-01.',
    },
    '',
    (value) => {
      const versions = value.split(',').flatMap((item) => item.trim() || []);
      for (const version of versions) {
        must(/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(version), 'versions such as 2022-10-01,2025-05-01');
      }
      return [...new Set(['2024-02-01', ...versions])];
    },
  ),
  healthPageSize: integer(
    { variable: 'MOORING_HEALTH_PAGE_SIZE', description: 'Health events per page.' },
    100,
    1,
    1000,
  ),
  healthDefaultWindow: optional(
    {
      variable: 'MOORING_HEALTH_DEFAULT_WINDOW',
      description:
        'How far back health events are listed if the caller sends no `queryStartTime`: `90m`, `72h` or `3d`. Unset: all events.',
    },
    (value) => {
      const window = parseWindow(value);
      must(window !== undefined, 'a duration such as 90m, 72h or 3d');
      return window;
    },
  ),
  watchdogMinutes: integer(
    {
      variable: 'MOORING_WATCHDOG_MINUTES',
      description:
        'How long a component of this server (database, jobs, files, telemetry, email) may fail before a health event for everyone is published. 0: never.',
    },
    5,
    0,
    1440,
  ),
  watchdogRegion: text(
    { variable: 'MOORING_WATCHDOG_REGION', description: 'Region of this server in those health events.' },
    'This server',
    (value) => {
      must(/^[^\p{Cc}]{1,200}$/u.test(value), 'at most 200 characters on one line');
      return value;
    },
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof healthSettings> {}
}
