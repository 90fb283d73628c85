import path from 'node:path';
import { integer, optional, type SettingValues } from '../../setting-kinds.ts';

export const exportsSettings = {
  exportFolder: optional(
    {
      variable: 'MOORING_EXPORT_FOLDER',
      description:
        'Folder for exports to files, with a subfolder for each app; `off` disables them. Several machines need a shared folder.',
    },
    (value) => (value === 'off' ? value : path.resolve(value)),
    '`exports` in the data folder',
  ),
  exportRetryDays: integer(
    {
      variable: 'MOORING_EXPORT_RETRY_DAYS',
      formerVariable: 'MOORING_EXPORT_PATIENCE_DAYS',
      description:
        'Days that a failing export is retried and its telemetry is retained. After that the export stops, and the data of the outage is missing from it.',
    },
    7,
    1,
    28,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof exportsSettings> {}
}
