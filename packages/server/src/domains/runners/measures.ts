import type { Measure } from '../../context.ts';
import { summed } from '../usage/index.ts';
import { sumFileSizes, sumLogSizes } from './runner-jobs.store.ts';

/** What builds and tests have made, and what they printed. */
export const runnerMeasures: Measure[] = [summed('storage_bytes', sumFileSizes), summed('storage_bytes', sumLogSizes)];
