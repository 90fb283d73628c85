import type { Measure } from '../../context.ts';
import { sumFileSizes, sumLogSizes } from './runner-jobs.store.ts';

/** What builds and tests have made, and what they printed. */
export const runnerMeasures: Measure[] = [
  {
    name: 'storage_bytes',
    count: async ({ db }, appId) => {
      const files = Number((await sumFileSizes.first(db, { appId }))?.bytes ?? 0);
      return files + Number((await sumLogSizes.first(db, { appId }))?.bytes ?? 0);
    },
  },
];
