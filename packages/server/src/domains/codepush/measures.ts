import type { Measure } from '../../context.ts';
import { sumPackageSizes } from './packages/packages.store.ts';

export const codepushMeasures: Measure[] = [
  {
    name: 'storage_bytes',
    count: async ({ db }, appId) => Number((await sumPackageSizes.first(db, { appId }))?.bytes ?? 0),
  },
];
