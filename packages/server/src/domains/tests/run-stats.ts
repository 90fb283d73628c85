export interface RunStats {
  devices: number;
  devicesFinished: number;
  devicesFailed: number;
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  steps: number;
  peakMemory: number;
  peakDuration: number;
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
