import type { Measure } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { summed } from '../usage/index.ts';
import { sumTestFileSizes } from './test-files.store.ts';
import { sumDeviceTimes } from './test-runs.store.ts';

export const testMeasures: Measure[] = [
  summed('test_minutes', sumDeviceTimes, MINUTE),
  summed('storage_bytes', sumTestFileSizes),
];
