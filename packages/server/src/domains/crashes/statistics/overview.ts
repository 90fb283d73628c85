import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { DayRange } from '../../../telemetry/index.ts';
import { countVersionsOfDays } from './statistics.store.ts';
import { countReportsByDay, measureErrorFree } from './statistics.ts';

const percentWithout = (some: number, all: number): number => (all === 0 ? 100 : 100 * (1 - Math.min(some, all) / all));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** How stable an app is in a range of days, or one version of it. */
export async function describeStability(ctx: AppCtx, range: DayRange, version: string | undefined) {
  const versions = version === undefined ? [] : [version];
  const filter = version === undefined ? {} : { version: versions };
  const [crashes, errors, free, usage, found] = await Promise.all([
    countReportsByDay(ctx, range, { kind: 'crash', versions }),
    countReportsByDay(ctx, range, { kind: 'error', versions }),
    measureErrorFree(ctx, range, { kind: 'crash', versions, build: undefined }),
    ctx.askTelemetry(ctx.app.id, { ask: 'usage', range, filter, bucketDays: 1 }),
    countVersionsOfDays(ctx.db, ctx.app.id, range),
  ]);
  const byVersion = Map.groupBy(found, (row) => row.version);
  return {
    crash_count: crashes.count,
    error_count: errors.count,
    crash_free_devices: free.average,
    crash_free_sessions: percentWithout(crashes.count, sum(usage.sessions)),
    days: crashes.days.map(({ datetime, count }, at) => ({
      datetime,
      crashes: count,
      errors: errors.days[at]?.count ?? 0,
      sessions: usage.sessions[at] ?? 0,
      crash_free_devices: free.days[at]?.percentage ?? 100,
      crash_free_sessions: percentWithout(count, usage.sessions[at] ?? 0),
    })),
    versions: [...byVersion]
      .sort(([a], [b]) => compareVersions(b, a))
      .map(([version, rows]) => ({
        version,
        crashes: sum(rows.filter(({ kind }) => kind === 'crash').map(({ count }) => Number(count))),
        errors: sum(rows.filter(({ kind }) => kind === 'error').map(({ count }) => Number(count))),
        devices: Math.max(...rows.map(({ devices }) => Number(devices))),
      })),
  };
}
