import type { Ctx } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import { announceForApp } from '../webhooks/index.ts';
import { type Outcome, testKey } from './results.ts';
import type { RunStats } from './run-stats.ts';
import { findPreviousRun, type RunDeviceRow, type RunRow } from './test-runs.store.ts';

const MOST_NAMED = 10;

const told = (result: RunRow['result']) => (result === 'pending' ? ('error' as const) : result);

/** Each once, however many devices it failed on. */
const namesOfFailed = (outcomes: readonly Outcome[]): string[] => {
  const failed = new Map(outcomes.filter(({ status }) => status === 'failed').map((one) => [testKey(one), one]));
  return [...failed.values()].slice(0, MOST_NAMED).map(({ suite, test }) => `${suite} ${test}`);
};

export interface Finished {
  row: RunRow;
  stats: RunStats;
  devices: readonly RunDeviceRow[];
  outcomes: readonly Outcome[];
}

/** Tells whoever waits for it that a run has finished, in the transaction in which it does. */
export async function announceRun(ctx: Ctx, { row, stats, devices, outcomes }: Finished): Promise<void> {
  const { id, app_id: appId, framework, series } = row;
  const before = await findPreviousRun.first(ctx.db, { appId, id, framework: framework ?? '', series: series ?? '' });
  const failure = row.failure ?? devices.find((device) => device.failure !== null)?.failure;
  await announceForApp(ctx, 'testRunFinished', appId, ({ page }) => ({
    url: page(`test/series/${encodeURIComponent(series ?? 'all')}/runs/${id}`),
    test_run_id: id,
    result: told(row.result),
    ...(before ? { previous_result: told(before.result) } : {}),
    test_framework: framework ?? '',
    ...(series === null ? {} : { test_series: series }),
    ...(row.app_version === null ? {} : { app_version: row.app_version }),
    total: stats.total,
    passed: stats.passed,
    failed: stats.failed,
    skipped: stats.skipped,
    devices: stats.devices,
    failed_tests: namesOfFailed(outcomes),
    ...(failure ? { failure } : {}),
    start_time: toIso(row.started_at ?? row.created_at),
    finish_time: toIso(row.finished_at ?? ctx.clock.now()),
  }));
}
