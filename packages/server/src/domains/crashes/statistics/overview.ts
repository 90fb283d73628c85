import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { DayRange } from '../../../telemetry/index.ts';
import { queryTelemetry } from '../../analytics/index.ts';
import { toTimeRange } from '../range.ts';
import { countCrashedDevicesByBuild, countMostDevices, countReportsByVersion } from './statistics.store.ts';
import { countReportsByDay, shareWithout } from './statistics.ts';

const percentWithout = (some: number, all: number): number => (all === 0 ? 100 : 100 * (1 - Math.min(some, all) / all));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Stability of an app, or of one of its versions, in a range of days. */
export async function describeStability(ctx: AppCtx, range: DayRange, version: string | undefined) {
  const versions = version === undefined ? [] : [version];
  const filter = version === undefined ? {} : { version: versions };
  const [crashes, errors, hangs, ended, usage, found, most] = await Promise.all([
    countReportsByDay(ctx, range, { kind: 'crash', versions }),
    countReportsByDay(ctx, range, { kind: 'error', versions }),
    countReportsByDay(ctx, range, { kind: 'hang', versions }),
    // Counted from sessions where an SDK reports them: not every unhandled error ends the app.
    queryTelemetry(ctx, ctx.app.id, { kind: 'crashes', range, filter }),
    queryTelemetry(ctx, ctx.app.id, { kind: 'usage', range, filter, bucketDays: 1 }),
    countReportsByVersion(ctx.db, ctx.app.id, range),
    countMostDevices(ctx.db, ctx.app.id, range),
  ]);
  const devicesByVersion = new Map(most.map(({ version, devices }) => [version, Number(devices)]));
  const byVersion = Map.groupBy(found, (row) => row.version);
  return {
    crash_count: crashes.count,
    error_count: errors.count,
    hang_count: hangs.count,
    crash_free_devices: shareWithout(ended.total.devices, ended.total.activeDevices),
    crash_free_sessions: percentWithout(ended.total.count, sum(usage.sessions)),
    days: crashes.days.map(({ datetime, count }, at) => ({
      datetime,
      crashes: count,
      errors: errors.days[at]?.count ?? 0,
      hangs: hangs.days[at]?.count ?? 0,
      sessions: usage.sessions[at] ?? 0,
      crash_free_devices: shareWithout(ended.days[at]?.devices ?? 0, ended.days[at]?.activeDevices ?? 0),
      crash_free_sessions: percentWithout(ended.days[at]?.count ?? 0, usage.sessions[at] ?? 0),
    })),
    versions: [...byVersion]
      .sort(([a], [b]) => compareVersions(b, a))
      .map(([version, rows]) => ({
        version,
        crashes: sum(rows.filter(({ kind }) => kind === 'crash').map(({ count }) => Number(count))),
        errors: sum(rows.filter(({ kind }) => kind === 'error').map(({ count }) => Number(count))),
        hangs: sum(rows.filter(({ kind }) => kind === 'hang').map(({ count }) => Number(count))),
        devices: devicesByVersion.get(version) ?? 0,
      })),
  };
}

const MAX_VERSIONS = 200;

/** Devices without crashes, by version and build; only versions with active devices. */
export async function listStableVersions(ctx: AppCtx, range: DayRange) {
  const [active, crashed] = await Promise.all([
    queryTelemetry(ctx, ctx.app.id, {
      kind: 'breakdown',
      range,
      times: toTimeRange(range),
      filter: {},
      measure: 'devices',
      event: undefined,
      by: ['version', 'build'],
      bucketMs: 0,
      limit: MAX_VERSIONS,
    }),
    countCrashedDevicesByBuild(ctx.db, ctx.app.id, range),
  ]);
  const crashedDevicesByBuild = new Map(crashed.map((row) => [`${row.version}\0${row.build}`, Number(row.devices)]));
  return active.rows
    .filter(({ total }) => total > 0)
    .map(({ values: [version = '', build = ''], total }) => {
      const devices = crashedDevicesByBuild.get(`${version}\0${build}`) ?? 0;
      return {
        version,
        app_build: build,
        devices: Math.max(total, devices),
        crashed_devices: devices,
        crash_free_devices: shareWithout(devices, total),
      };
    });
}
