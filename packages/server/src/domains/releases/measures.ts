import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { summed } from '../usage/index.ts';
import { sumSizes } from './releases.store.ts';

export const releaseMeasures: UsageMeasure[] = [summed('storage_bytes', sumSizes)];
