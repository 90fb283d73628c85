import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { summed } from '../usage/index.ts';
import { sumFileSizes, sumLogSizes } from './jobs/runner-jobs.store.ts';

/** Files and logs of builds and test runs. */
export const runnerMeasures: UsageMeasure[] = [
  summed('storage_bytes', sumFileSizes),
  summed('storage_bytes', sumLogSizes),
];
