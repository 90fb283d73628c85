import { sql } from 'kysely';
import { inChunks } from '../../../db/chunks.ts';
import type { Db } from '../../../db/open.ts';
import { tx } from '../../../db/tx.ts';
import {
  type CrashAppDevicesTable,
  type CrashDaysTable,
  type CrashFacetsTable,
  type CrashGroupDevicesTable,
  type CrashIssueDevicesTable,
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

/** Which of these a group has been seen on before, on any day. */
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
        .where('group_id', 'in', [...new Set(some.map((row) => row.group_id))])
        .where('install_id', 'in', [...new Set(some.map((row) => row.install_id))]),
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
  'crash_group_devices',
  'crash_issue_devices',
  'crash_app_devices',
  'crash_facets',
] as const;

/** Of an app that is gone: what was counted, table by table. */
export async function deleteCountsOfApp(ctx: { db: Db }, appId: string): Promise<void> {
  for (const table of countTables) {
    await tx(ctx, ({ db }) => query(db, (q) => q.deleteFrom(table).where('app_id', '=', appId)));
  }
}
