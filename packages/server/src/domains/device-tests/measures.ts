import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { summed } from '../usage/index.ts';
import { sumTestFileSizes } from './files/test-files.store.ts';
import { sumDeviceTimes } from './runs/test-runs.store.ts';

export const testMeasures: UsageMeasure[] = [
  summed('test_minutes', sumDeviceTimes, MINUTE),
  summed('storage_bytes', sumTestFileSizes),
];
