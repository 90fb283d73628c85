import path from 'node:path';
import { integer, optional } from '../../setting-kinds.ts';

export const exportsSettings = {
  exportFolder: optional(
    {
      variable: 'MOORING_EXPORT_FOLDER',
      description:
        'Folder on this server that apps may export to, each into a folder of its own; `off` if none may. Several machines need a folder that they share.',
    },
    (value) => (value === 'off' ? value : path.resolve(value)),
    '`exports` in the data folder',
  ),
  exportPatienceDays: integer(
    {
      variable: 'MOORING_EXPORT_PATIENCE_DAYS',
      description:
        'How many days what devices sent waits for an export that fails; then the export is stopped, and has a hole.',
    },
    7,
    1,
    28,
  ),
};
