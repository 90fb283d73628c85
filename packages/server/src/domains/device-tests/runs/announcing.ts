import type { Ctx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import { announceForApp } from '../../webhooks/index.ts';
import type { RunStats } from './run-stats.ts';
import { findPreviousRun, type RunDeviceRow, type RunRow } from './test-runs.store.ts';

const toAnnouncedResult = (result: RunRow['result']) => (result === 'pending' ? ('error' as const) : result);

export interface Finished {
  row: RunRow;
  stats: RunStats;
  devices: readonly RunDeviceRow[];
  /** Names of the first few. */
  failedTests: readonly string[];
}

/** Announces a finished run, in the transaction that finishes it. */
export async function announceRun(ctx: Ctx, { row, stats, devices, failedTests }: Finished): Promise<void> {
  const { id, app_id: appId, framework, series } = row;
  const before = await findPreviousRun.first(ctx.db, { appId, id, framework: framework ?? '', series: series ?? '' });
  const failure = row.failure ?? devices.find((device) => device.failure !== null)?.failure;
  await announceForApp(ctx, 'testRunFinished', appId, ({ page }) => ({
    url: page(`test/series/${encodeURIComponent(series ?? 'all')}/runs/${id}`),
    test_run_id: id,
    result: toAnnouncedResult(row.result),
    ...(before ? { previous_result: toAnnouncedResult(before.result) } : {}),
    test_framework: framework ?? '',
    ...(series === null ? {} : { test_series: series }),
    ...(row.app_version === null ? {} : { app_version: row.app_version }),
    total: stats.total,
    passed: stats.passed,
    failed: stats.failed,
    skipped: stats.skipped,
    devices: stats.devices,
    failed_tests: [...failedTests],
    ...(failure ? { failure } : {}),
    start_time: toIso(row.started_at ?? row.created_at),
    finish_time: toIso(row.finished_at ?? ctx.clock.now()),
  }));
}
