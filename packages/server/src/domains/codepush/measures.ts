import type { Measure } from '../../context.ts';
import { summed } from '../usage/index.ts';
import { sumPackageSizes } from './packages/packages.store.ts';

export const codepushMeasures: Measure[] = [summed('storage_bytes', sumPackageSizes)];
