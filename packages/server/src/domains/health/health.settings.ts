import { parseWindow } from '../../kernel/duration.ts';
import { integer, must, optional, text } from '../../setting-kinds.ts';

export const healthSettings = {
  vendorName: text(
    {
      variable: 'MOORING_VENDOR_NAME',
      description:
        'Stands before `.ResourceHealth` in the addresses of the health API and in `enable…Support`; set it to the name that your clients were made for. Addresses with `Vendor` work too.',
    },
    'Vendor',
    (value) => {
      must(/^[A-Za-z]{1,50}$/.test(value), 'a name of letters');
      return value;
    },
  ),
  healthApiVersions: text(
    {
      variable: 'MOORING_HEALTH_API_VERSIONS',
      description: 'Versions of the health API, with commas, that are served beside 2024-02-01 in the same way.',
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
    { variable: 'MOORING_HEALTH_PAGE_SIZE', description: 'Health events on a page.' },
    100,
    1,
    1000,
  ),
  healthDefaultWindow: optional(
    {
      variable: 'MOORING_HEALTH_DEFAULT_WINDOW',
      description:
        'How far back health events are listed when the caller names no `queryStartTime`: `90m`, `72h` or `3d`. Unset: all of them.',
    },
    (value) => {
      const window = parseWindow(value);
      must(window !== undefined, 'a time such as 90m, 72h or 3d');
      return window;
    },
  ),
  watchdogMinutes: integer(
    {
      variable: 'MOORING_WATCHDOG_MINUTES',
      description:
        'How long a component of this server (database, jobs, files, mail) may fail until a health event for everyone tells of it; 0 turns it off.',
    },
    5,
    0,
    1440,
  ),
  watchdogRegion: text(
    { variable: 'MOORING_WATCHDOG_REGION', description: 'What such an event calls the region of this server.' },
    'This server',
    (value) => {
      must(/^[^\p{Cc}]{1,200}$/u.test(value), 'at most 200 characters on one line');
      return value;
    },
  ),
};
