import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { summed } from '../usage/index.ts';
import { sumPackageSizes } from './packages/packages.store.ts';

export const codepushMeasures: UsageMeasure[] = [summed('storage_bytes', sumPackageSizes)];
