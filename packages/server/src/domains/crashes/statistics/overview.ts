import { type AppCtx, workOwner } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { DayRange } from '../../../telemetry/index.ts';
import { timesOf } from '../range.ts';
import { countCrashedDevicesByBuild, countMostDevices, countVersionsOfDays } from './statistics.store.ts';
import { countReportsByDay, measureErrorFree, shareWithout } from './statistics.ts';

const percentWithout = (some: number, all: number): number => (all === 0 ? 100 : 100 * (1 - Math.min(some, all) / all));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** How stable an app is in a range of days, or one version of it. */
export async function describeStability(ctx: AppCtx, range: DayRange, version: string | undefined) {
  const versions = version === undefined ? [] : [version];
  const filter = version === undefined ? {} : { version: versions };
  const [crashes, errors, free, usage, found, most] = await Promise.all([
    countReportsByDay(ctx, range, { kind: 'crash', versions }),
    countReportsByDay(ctx, range, { kind: 'error', versions }),
    measureErrorFree(ctx, range, { kind: 'crash', versions, build: undefined }),
    ctx.askTelemetry(ctx.app.id, { ask: 'usage', range, filter, bucketDays: 1 }, workOwner(ctx)),
    countVersionsOfDays(ctx.db, ctx.app.id, range),
    countMostDevices(ctx.db, ctx.app.id, range),
  ]);
  const devicesOf = new Map(most.map(({ version, devices }) => [version, Number(devices)]));
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
        devices: devicesOf.get(version) ?? 0,
      })),
  };
}

const MOST_VERSIONS = 200;

/** How many devices had no crash, by version and build; only of those that somebody has. */
export async function listStableVersions(ctx: AppCtx, range: DayRange) {
  const [active, crashed] = await Promise.all([
    ctx.askTelemetry(
      ctx.app.id,
      {
        ask: 'breakdown',
        range,
        times: timesOf(range),
        filter: {},
        measure: 'devices',
        event: undefined,
        by: ['version', 'build'],
        bucketMs: 0,
        limit: MOST_VERSIONS,
      },
      workOwner(ctx),
    ),
    countCrashedDevicesByBuild(ctx.db, ctx.app.id, range),
  ]);
  const crashedOf = new Map(crashed.map((row) => [`${row.version}\0${row.build}`, Number(row.devices)]));
  return active.rows
    .filter(({ total }) => total > 0)
    .map(({ values: [version = '', build = ''], total }) => {
      const devices = crashedOf.get(`${version}\0${build}`) ?? 0;
      return {
        version,
        app_build: build,
        devices: Math.max(total, devices),
        crashed_devices: devices,
        crash_free_devices: shareWithout(devices, total),
      };
    });
}
