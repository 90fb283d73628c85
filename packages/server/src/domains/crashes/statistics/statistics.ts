import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { DayRange } from '../../../telemetry/index.ts';
import { queryTelemetry } from '../../analytics/index.ts';
import type { Facet, Kind } from '../crashes.tables.ts';
import { countGroupDevicesInRange } from '../issues/group-lists.store.ts';
import type { Group } from '../issues/groups.ts';
import { byDay, toTimeRange } from '../range.ts';
import {
  type CountedGroups,
  countByDay,
  countDevices,
  countDevicesByDay,
  countFacet,
  countGroupsByDay,
  listVersions,
} from './statistics.store.ts';

/** Reports by day, of groups or the whole app. */
export async function countReportsByDay({ db, app }: AppCtx, range: DayRange, of: CountedGroups) {
  const rows = new Map((await countByDay(db, app.id, range, of)).map(({ day, count }) => [day, Number(count)]));
  const days = byDay(range, (day) => rows.get(day) ?? 0).map(({ datetime, value }) => ({ datetime, count: value }));
  return { count: days.reduce((sum, { count }) => sum + count, 0), days };
}

export const shareWithout = (devices: number, active: number): number => {
  // A device whose only log is an error was active too.
  const all = Math.max(active, devices);
  return all === 0 ? 100 : 100 * (1 - devices / all);
};

/** Active devices, by day and in total; crashed devices count as active. */
async function activeDevices(ctx: AppCtx, range: DayRange, versions: readonly string[], build: string | undefined) {
  const filter = {
    ...(versions.length ? { version: versions } : {}),
    ...(build === undefined ? {} : { build: [build] }),
  };
  const { days, total } = await queryTelemetry(ctx, ctx.app.id, { kind: 'crashes', range, filter });
  return { days: days.map(({ activeDevices }) => activeDevices), total: total.activeDevices };
}

export interface FreeShare {
  average: number;
  days: { datetime: string; percentage: number }[];
}

const toShares = (
  range: DayRange,
  active: { days: number[]; total: number },
  devices: { total: number; byDay: ReadonlyMap<number, number> },
): FreeShare => ({
  average: shareWithout(devices.total, active.total),
  days: byDay(range, (day) => shareWithout(devices.byDay.get(day) ?? 0, active.days[day - range.from] ?? 0)).map(
    ({ datetime, value }) => ({ datetime, percentage: value }),
  ),
});

/** Share of active devices without crashes or errors, by day and in total. */
export async function measureErrorFree(
  ctx: AppCtx,
  range: DayRange,
  deviceFilter: { kind: Kind; versions: readonly string[]; build: string | undefined },
): Promise<FreeShare> {
  const { db, app } = ctx;
  const [active, rows, [all]] = await Promise.all([
    activeDevices(ctx, range, deviceFilter.versions, deviceFilter.build),
    countDevicesByDay(db, app.id, range, deviceFilter),
    countDevices(db, app.id, range, deviceFilter),
  ]);
  const perDay = new Map(rows.map(({ day, devices }) => [day, Number(devices)]));
  return toShares(range, active, { total: Number(all?.devices ?? 0), byDay: perDay });
}

/** Share of active devices of its version without this group. */
export async function measureGroupFree(ctx: AppCtx, range: DayRange, group: Group): Promise<FreeShare> {
  const { db, app } = ctx;
  const [active, rows, [all]] = await Promise.all([
    activeDevices(ctx, range, [group.version], group.build),
    countGroupsByDay(db, app.id, range, [group.id]),
    countGroupDevicesInRange(db, app.id, [group.id], range),
  ]);
  const perDay = new Map(rows.map(({ day, devices }) => [day, Number(devices)]));
  return toShares(range, active, { total: Number(all?.devices ?? 0), byDay: perDay });
}

/** Reports of groups by a device property, most frequent first. */
export async function countBy({ db, app }: AppCtx, groupIds: readonly string[], facet: Facet, limit: number) {
  const rows = await countFacet(db, app.id, groupIds, facet, limit);
  return rows.map(({ value, count }) => ({ value, count: Number(count) }));
}

/** Versions and builds with reports, newest first. */
export async function listReportedVersions(
  { db, app }: AppCtx,
  { range, kind, version }: { range?: DayRange; kind?: Kind | undefined; version?: string },
) {
  const times = range && toTimeRange(range);
  const rows = await listVersions(db, app.id, {
    kind,
    ...(times ? { since: times.from, until: times.to } : {}),
    ...(version === undefined ? {} : { version }),
  });
  return rows.sort((a, b) => compareVersions(b.version, a.version) || compareVersions(b.build, a.build));
}
