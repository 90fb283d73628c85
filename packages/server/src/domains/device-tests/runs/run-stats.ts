import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import type { Counts } from '../results/results.ts';

/** Earlier versions stored fewer counts. */
export const statsCodec = jsonCodec('test_runs.stats', objectOutline<RunStats>());

export interface RunStats extends Counts {
  devices: number;
  devicesFinished: number;
  devicesFailed: number;
  totalDeviceMinutes: number;
}

export const noStats: RunStats = {
  devices: 0,
  devicesFinished: 0,
  devicesFailed: 0,
  total: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  steps: 0,
  peakMemory: 0,
  peakDuration: 0,
  totalDeviceMinutes: 0,
};
