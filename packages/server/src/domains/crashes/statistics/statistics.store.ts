import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { type Facet, type Kind, query, statement } from '../crashes.tables.ts';

interface Days {
  from: number;
  to: number;
}

/** Groups to count; all groups of the app if undefined. */
export interface CountedGroups {
  groupIds?: readonly string[] | undefined;
  kind?: Kind | undefined;
  versions?: readonly string[] | undefined;
  build?: string | undefined;
}

/** Optionally restricted to groups, versions and a build. */
const countGroupsOnDays = (
  db: Db,
  appId: string,
  { from, to }: Days,
  { kind, versions = [], build }: CountedGroups,
  groupIds: readonly string[],
) =>
  query(db, (q) => {
    const found = q
      .selectFrom('crash_days')
      .select(['crash_days.day', sql<number>`cast(sum(crash_days.count) as bigint)`.as('count')])
      .where('crash_days.app_id', '=', appId)
      .where('crash_days.group_id', 'in', groupIds)
      .where('crash_days.day', '>=', from)
      .where('crash_days.day', '<=', to)
      .groupBy('crash_days.day');
    if (!kind && versions.length === 0 && build === undefined) return found;
    let joined = found.innerJoin('crash_groups', (join) =>
      join.onRef('crash_groups.app_id', '=', 'crash_days.app_id').onRef('crash_groups.id', '=', 'crash_days.group_id'),
    );
    if (kind) joined = joined.where('crash_groups.kind', '=', kind);
    if (versions.length > 0) joined = joined.where('crash_groups.version', 'in', versions);
    if (build !== undefined) joined = joined.where('crash_groups.build', '=', build);
    return joined;
  });

export const countByDay = (db: Db, appId: string, days: Days, of: CountedGroups) => {
  const { groupIds, kind, versions = [], build } = of;
  if (groupIds) return countGroupsOnDays(db, appId, days, of, groupIds);
  return query(db, (q) => {
    let found = q
      .selectFrom('crash_app_days')
      .select(['day', sql<number>`cast(sum(count) as bigint)`.as('count')])
      .where('app_id', '=', appId)
      .where('day', '>=', days.from)
      .where('day', '<=', days.to)
      .groupBy('day');
    if (kind) found = found.where('kind', '=', kind);
    if (versions.length > 0) found = found.where('version', 'in', versions);
    if (build !== undefined) found = found.where('build', '=', build);
    return found;
  });
};

/** By group and day. */
export const countGroupsByDay = (db: Db, appId: string, { from, to }: Days, groupIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_days')
      .select(['group_id', 'day', 'count', 'devices'])
      .where('app_id', '=', appId)
      .where('group_id', 'in', groupIds)
      .where('day', '>=', from)
      .where('day', '<=', to),
  );

export const countFacet = (db: Db, appId: string, groupIds: readonly string[], facet: Facet, limit: number) =>
  query(db, (q) => {
    const found = q
      .selectFrom('crash_facets')
      .select(['value', sql<number>`cast(sum(count) as bigint)`.as('count')])
      .where('app_id', '=', appId)
      .where('group_id', 'in', groupIds)
      .where('facet', '=', facet)
      .groupBy('value')
      .orderBy(sql`sum(count)`, 'desc')
      .orderBy('value');
    return limit > 0 ? found.limit(limit) : found;
  });

export interface DeviceFilter {
  kind: Kind;
  versions: readonly string[];
  build: string | undefined;
}

const devicesIn = (
  db: Db,
  appId: string,
  { from, to }: Days,
  { kind, versions, build }: DeviceFilter,
  byDay: boolean,
) =>
  query(db, (q) => {
    let found = q
      .selectFrom('crash_app_devices')
      .select([
        (byDay ? sql.ref<number>('day') : sql<number>`0`).as('day'),
        sql<number>`count(distinct install_id)`.as('devices'),
      ])
      .where('app_id', '=', appId)
      .where('kind', '=', kind)
      .where('day', '>=', from)
      .where('day', '<=', to);
    if (versions.length) found = found.where('version', 'in', versions);
    if (build !== undefined) found = found.where('build', '=', build);
    return byDay ? found.groupBy('day') : found;
  });

/** Distinct devices with crashes or errors: by day and in total. */
export const countDevicesByDay = (db: Db, appId: string, days: Days, filter: DeviceFilter) =>
  devicesIn(db, appId, days, filter, true);
export const countDevices = (db: Db, appId: string, days: Days, filter: DeviceFilter) =>
  devicesIn(db, appId, days, filter, false);

/** Distinct devices that crashed, by version and build. */
export const countCrashedDevicesByBuild = (db: Db, appId: string, { from, to }: Days) =>
  query(db, (q) =>
    q
      .selectFrom('crash_app_devices')
      .select(['version', 'build', sql<number>`count(distinct install_id)`.as('devices')])
      .where('app_id', '=', appId)
      .where('kind', '=', 'crash')
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy(['version', 'build']),
  );

export const listVersions = (
  db: Db,
  appId: string,
  { kind, since, until, version }: { kind?: Kind | undefined; since?: number; until?: number; version?: string },
) =>
  query(db, (q) => {
    let found = q.selectFrom('crash_groups').select(['version', 'build']).distinct().where('app_id', '=', appId);
    if (kind) found = found.where('kind', '=', kind);
    if (since !== undefined) found = found.where('last_at', '>=', since);
    if (until !== undefined) found = found.where('first_at', '<', until);
    if (version !== undefined) found = found.where('version', '=', version);
    return found;
  });

/** Reports by version and kind. */
export const countReportsByVersion = (db: Db, appId: string, { from, to }: Days) =>
  query(db, (q) =>
    q
      .selectFrom('crash_app_days')
      .select(['version', 'kind', sql<number>`cast(sum(count) as bigint)`.as('count')])
      .where('app_id', '=', appId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy(['version', 'kind']),
  );

/** For each version, the device count of its most widespread group that was seen in the range. */
export const countMostDevices = (db: Db, appId: string, { from, to }: Days) =>
  query(db, (q) =>
    q
      .selectFrom('crash_groups')
      .select(['version', sql<number>`cast(max(device_count) as bigint)`.as('devices')])
      .where('app_id', '=', appId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('crash_days')
            .select('crash_days.day')
            .where('crash_days.app_id', '=', appId)
            .whereRef('crash_days.group_id', '=', 'crash_groups.id')
            .where('crash_days.day', '>=', from)
            .where('crash_days.day', '<=', to),
        ),
      )
      .groupBy('version'),
  );

/** The group with the most reports since a time. */
export const findBusiestGroup = statement((q, p: { appId: string; since: number }) =>
  q
    .selectFrom('crash_reports')
    .innerJoin('crash_groups', (join) =>
      join
        .onRef('crash_groups.app_id', '=', 'crash_reports.app_id')
        .onRef('crash_groups.id', '=', 'crash_reports.group_id'),
    )
    .select(({ fn }) => [
      'crash_groups.id',
      'crash_groups.exception_type',
      'crash_groups.message',
      'crash_groups.version',
      fn.countAll<number>().as('count'),
    ])
    .where('crash_reports.app_id', '=', p.appId)
    .where('crash_reports.at', '>', p.since)
    .where('crash_groups.kind', '=', 'crash')
    .groupBy(['crash_groups.id', 'crash_groups.exception_type', 'crash_groups.message', 'crash_groups.version'])
    .orderBy('count', 'desc')
    .orderBy('crash_groups.id')
    .limit(1),
);
