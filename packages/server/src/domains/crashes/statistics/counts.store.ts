import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import { tx } from '../../../db/tx.ts';
import {
  type CrashAppDaysTable,
  type CrashAppDevicesTable,
  type CrashDaysTable,
  type CrashFacetsTable,
  type CrashGroupDevicesTable,
  type CrashIssueDevicesTable,
  type Facet,
  type Kind,
  query,
  statement,
} from '../crashes.tables.ts';

export const addToDays = (db: Db, rows: readonly CrashDaysTable[]) =>
  inChunks(rows, (some) =>
    query(db, (q) =>
      q
        .insertInto('crash_days')
        .values(some)
        .onConflict((c) =>
          c.columns(['app_id', 'group_id', 'day']).doUpdateSet({
            count: sql<number>`crash_days.count + excluded.count`,
            devices: sql<number>`crash_days.devices + excluded.devices`,
          }),
        ),
    ),
  );

export const addToAppDays = (db: Db, rows: readonly CrashAppDaysTable[]) =>
  inChunks(rows, (some) =>
    query(db, (q) =>
      q
        .insertInto('crash_app_days')
        .values(some)
        .onConflict((c) =>
          c
            .columns(['app_id', 'day', 'kind', 'version', 'build'])
            .doUpdateSet({ count: sql<number>`crash_app_days.count + excluded.count` }),
        ),
    ),
  );

type AppDay = Omit<CrashAppDaysTable, 'count' | 'app_id'> & { appId: string };

const takeOneFromAppDay = statement((q, p: AppDay) =>
  q
    .updateTable('crash_app_days')
    .set({ count: sql<number>`count - 1` })
    .where('app_id', '=', p.appId)
    .where('day', '=', p.day)
    .where('kind', '=', p.kind)
    .where('version', '=', p.version)
    .where('build', '=', p.build),
);

const deleteEmptyAppDays = statement((q, p: { appId: string; day: number }) =>
  q.deleteFrom('crash_app_days').where('app_id', '=', p.appId).where('day', '=', p.day).where('count', '<=', 0),
);

export async function takeFromAppDay(db: Db, of: AppDay): Promise<void> {
  await takeOneFromAppDay.run(db, of);
  await deleteEmptyAppDays.run(db, { appId: of.appId, day: of.day });
}

export const addToFacets = (db: Db, rows: readonly CrashFacetsTable[]) =>
  inChunks(rows, (some) =>
    query(db, (q) =>
      q
        .insertInto('crash_facets')
        .values(some)
        .onConflict((c) =>
          c
            .columns(['app_id', 'group_id', 'facet', 'value'])
            .doUpdateSet({ count: sql<number>`crash_facets.count + excluded.count` }),
        ),
    ),
  );

/** The devices among these on which a group has already been seen. */
export async function findKnownDevices(
  db: Db,
  appId: string,
  rows: readonly CrashGroupDevicesTable[],
): Promise<{ group_id: string; install_id: string }[]> {
  const known: { group_id: string; install_id: string }[] = [];
  await inChunks(rows, async (some) => {
    const found = await query(db, (q) =>
      q
        .selectFrom('crash_group_devices')
        .select(['group_id', 'install_id'])
        .distinct()
        .where('app_id', '=', appId)
        // Compares pairs, because separate conditions would look up every combination.
        .where(
          sql<boolean>`(group_id, install_id) in (values ${sql.join(
            some.map(({ group_id, install_id }) => sql`(${group_id}, ${install_id})`),
          )})`,
        ),
    );
    known.push(...found);
  });
  return known;
}

/** Returns those that are new on their day. */
export async function insertGroupDevices(
  db: Db,
  rows: readonly CrashGroupDevicesTable[],
): Promise<Pick<CrashGroupDevicesTable, 'group_id' | 'day'>[]> {
  const added: Pick<CrashGroupDevicesTable, 'group_id' | 'day'>[] = [];
  await inChunks(rows, async (some) => {
    const found = await query(db, (q) =>
      q
        .insertInto('crash_group_devices')
        .values(some)
        .onConflict((c) => c.doNothing())
        .returning(['group_id', 'day']),
    );
    added.push(...found);
  });
  return added;
}

/** Returns the issues of those that are new. */
export async function insertIssueDevices(db: Db, rows: readonly CrashIssueDevicesTable[]): Promise<string[]> {
  const added: string[] = [];
  await inChunks(rows, async (some) => {
    const found = await query(db, (q) =>
      q
        .insertInto('crash_issue_devices')
        .values(some)
        .onConflict((c) => c.doNothing())
        .returning('issue_id'),
    );
    added.push(...found.map(({ issue_id }) => issue_id));
  });
  return added;
}

export const insertAppDevices = (db: Db, rows: readonly CrashAppDevicesTable[]) =>
  inChunks(rows, (some) =>
    query(db, (q) =>
      q
        .insertInto('crash_app_devices')
        .values(some)
        .onConflict((c) => c.doNothing()),
    ),
  );

export const addToGroup = statement(
  (
    q,
    p: {
      appId: string;
      id: string;
      count: number;
      devices: number;
      firstAt: number;
      lastAt: number;
      lastReportId: string;
    },
  ) =>
    q
      .updateTable('crash_groups')
      .set({
        count: sql<number>`count + ${p.count}`,
        device_count: sql<number>`device_count + ${p.devices}`,
        first_at: sql<number>`case when ${p.firstAt} < first_at then ${p.firstAt} else first_at end`,
        last_report_id: sql<string>`case when ${p.lastAt} >= last_at then ${p.lastReportId} else last_report_id end`,
        last_at: sql<number>`case when ${p.lastAt} > last_at then ${p.lastAt} else last_at end`,
      })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);

export const addToIssue = statement(
  (
    q,
    p: {
      appId: string;
      id: string;
      count: number;
      devices: number;
      firstAt: number;
      lastAt: number;
      firstVersion: string;
      lastVersion: string;
    },
  ) =>
    q
      .updateTable('crash_issues')
      .set({
        count: sql<number>`count + ${p.count}`,
        device_count: sql<number>`device_count + ${p.devices}`,
        first_at: sql<number>`case when ${p.firstAt} < first_at then ${p.firstAt} else first_at end`,
        last_at: sql<number>`case when ${p.lastAt} > last_at then ${p.lastAt} else last_at end`,
        first_version: p.firstVersion,
        last_version: p.lastVersion,
      })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);

const countTables = [
  'crash_days',
  'crash_app_days',
  'crash_group_devices',
  'crash_issue_devices',
  'crash_app_devices',
  'crash_facets',
] as const;

/** Deletes the counts of a deleted app, table by table. */
export async function deleteAppCounts(ctx: { db: Db }, appId: string): Promise<void> {
  for (const table of countTables) {
    await tx(ctx, ({ db }) => query(db, (q) => q.deleteFrom(table).where('app_id', '=', appId)));
  }
}

/** Other reports of a group on this device, on the day and in total, after a report was deleted. */
export const findOtherReports = statement(
  (q, p: { appId: string; groupId: string; installId: string; from: number; to: number }) =>
    q
      .selectFrom('crash_reports')
      .select([
        sql<number>`count(*)`.as('any'),
        sql<number>`coalesce(sum(case when at >= ${p.from} and at < ${p.to} then 1 else 0 end), 0)`.as('sameDay'),
      ])
      .where('app_id', '=', p.appId)
      .where('group_id', '=', p.groupId)
      .where('install_id', '=', p.installId),
);

export const findIssueReportsOnDevice = statement((q, p: { appId: string; issueId: string; installId: string }) =>
  q
    .selectFrom('crash_group_devices')
    .select('group_id')
    .where('app_id', '=', p.appId)
    .where('install_id', '=', p.installId)
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('crash_groups').select('id').where('app_id', '=', p.appId).where('issue_id', '=', p.issueId),
    )
    .limit(1),
);

export const deleteGroupDevice = statement((q, p: { appId: string; groupId: string; installId: string; day: number }) =>
  q
    .deleteFrom('crash_group_devices')
    .where('app_id', '=', p.appId)
    .where('group_id', '=', p.groupId)
    .where('install_id', '=', p.installId)
    .where('day', '=', p.day),
);

export const deleteIssueDevice = statement((q, p: { appId: string; issueId: string; installId: string }) =>
  q
    .deleteFrom('crash_issue_devices')
    .where('app_id', '=', p.appId)
    .where('issue_id', '=', p.issueId)
    .where('install_id', '=', p.installId),
);

export const takeFromDay = statement((q, p: { appId: string; groupId: string; day: number; devices: number }) =>
  q
    .updateTable('crash_days')
    .set({ count: sql<number>`count - 1`, devices: sql<number>`devices - ${p.devices}` })
    .where('app_id', '=', p.appId)
    .where('group_id', '=', p.groupId)
    .where('day', '=', p.day),
);

export const takeFromFacet = statement((q, p: { appId: string; groupId: string; facet: Facet; value: string }) =>
  q
    .updateTable('crash_facets')
    .set({ count: sql<number>`count - 1` })
    .where('app_id', '=', p.appId)
    .where('group_id', '=', p.groupId)
    .where('facet', '=', p.facet)
    .where('value', '=', p.value),
);

export const deleteEmptyCounts = async (db: Db, appId: string, groupId: string): Promise<void> => {
  for (const table of ['crash_days', 'crash_facets'] as const) {
    await query(db, (q) =>
      q.deleteFrom(table).where('app_id', '=', appId).where('group_id', '=', groupId).where('count', '<=', 0),
    );
  }
};

export const takeFromGroup = statement((q, p: { appId: string; id: string; devices: number }) =>
  q
    .updateTable('crash_groups')
    .set({ count: sql<number>`count - 1`, device_count: sql<number>`device_count - ${p.devices}` })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.id),
);

export const takeFromIssue = statement((q, p: { appId: string; id: string; devices: number }) =>
  q
    .updateTable('crash_issues')
    .set({ count: sql<number>`count - 1`, device_count: sql<number>`device_count - ${p.devices}` })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.id),
);

/** Any other report of this kind and version on the device that day. */
export const findSameDay = statement(
  (q, p: { appId: string; kind: Kind; installId: string; version: string; build: string; from: number; to: number }) =>
    q
      .selectFrom('crash_reports')
      .select('id')
      .where('app_id', '=', p.appId)
      .where('at', '>=', p.from)
      .where('at', '<', p.to)
      .where('kind', '=', p.kind)
      .where('install_id', '=', p.installId)
      .where('version', '=', p.version)
      .where('build', '=', p.build)
      .limit(1),
);

export const deleteAppDevice = statement(
  (q, p: { appId: string; kind: Kind; day: number; installId: string; version: string; build: string }) =>
    q
      .deleteFrom('crash_app_devices')
      .where('app_id', '=', p.appId)
      .where('kind', '=', p.kind)
      .where('day', '=', p.day)
      .where('install_id', '=', p.installId)
      .where('version', '=', p.version)
      .where('build', '=', p.build),
);
