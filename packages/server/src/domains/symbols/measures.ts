import type { Measure } from '../../context.ts';
import { sumUploadSizes } from './symbol-uploads.store.ts';

export const symbolMeasures: Measure[] = [
  {
    name: 'storage_bytes',
    count: async ({ db }, appId) => Number((await sumUploadSizes.first(db, { appId }))?.bytes ?? 0),
  },
];
