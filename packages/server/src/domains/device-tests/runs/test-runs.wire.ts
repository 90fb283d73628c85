import type { AppCtx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import type { RunStats } from './run-stats.ts';
import { listTested, type RunRow } from './test-runs.store.ts';
import { parseStats } from './test-runs.ts';

const resultLabels: Readonly<Record<RunRow['result'], string>> = {
  pending: 'Not finished',
  passed: 'Passed',
  failed: 'Tests failed',
  stopped: 'Stopped',
  error: 'Could not be completed',
};
const statusLabels: Readonly<Record<RunRow['status'], string>> = {
  created: 'Files are being uploaded',
  pending: 'Waiting for devices',
  running: 'Running',
  finished: 'Finished',
};

export const describeRun = (row: RunRow): string =>
  row.status === 'finished' ? (row.failure ?? resultLabels[row.result]) : statusLabels[row.status];

export interface Tested {
  releaseId?: number | undefined;
  buildId?: number | undefined;
}

/** Release and build that each run tested. */
export async function testedBy({ db }: Pick<AppCtx, 'db'>, runs: readonly RunRow[]): Promise<Map<string, Tested>> {
  if (runs.length === 0) return new Map();
  const rows = await listTested.all(db, { runIds: JSON.stringify(runs.map(({ id }) => id)) });
  const numberIn = (value: number | null) => (value === null ? undefined : Number(value));
  return new Map(
    rows.map((row) => [row.run_id, { releaseId: numberIn(row.release_id), buildId: numberIn(row.build_id) }]),
  );
}

export async function runsToWire(ctx: Pick<AppCtx, 'db'>, rows: readonly RunRow[]) {
  const tested = await testedBy(ctx, rows);
  return rows.map((row) => runToWire(row, parseStats(row), tested.get(row.id)));
}

export const runToWire = (row: RunRow, stats: RunStats = parseStats(row), tested: Tested = {}, waiting?: string) => ({
  id: row.id,
  date: toIso(row.created_at),
  appVersion: row.app_version ?? undefined,
  testSeries: row.series ?? undefined,
  platform: row.platform ?? undefined,
  runStatus: row.status,
  resultStatus: row.result,
  state: row.status,
  status: row.result,
  description: describeRun(row),
  waiting,
  stats: {
    devices: stats.devices,
    devicesFinished: stats.devicesFinished,
    devicesFailed: stats.devicesFailed,
    total: stats.total,
    passed: stats.passed,
    failed: stats.failed,
    skipped: stats.skipped,
    peakMemory: stats.peakMemory,
    totalDeviceMinutes: stats.totalDeviceMinutes,
  },
  testType: row.framework ?? undefined,
  source: row.source,
  rerunOf: row.rerun_of ?? undefined,
  releaseId: tested.releaseId,
  buildId: tested.buildId,
  finishedAt: row.finished_at === null ? undefined : toIso(row.finished_at),
});
