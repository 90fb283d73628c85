import type { Measure } from '../../context.ts';
import { sumSizes } from './releases.store.ts';

export const releaseMeasures: Measure[] = [
  {
    name: 'storage_bytes',
    count: async ({ db }, appId) => Number((await sumSizes.first(db, { appId }))?.bytes ?? 0),
  },
];
