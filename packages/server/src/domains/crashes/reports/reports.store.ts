import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import {
  type CrashBodiesTable,
  type CrashPropertiesTable,
  type CrashReportsTable,
  query,
  statement,
} from '../crashes.tables.ts';

export const findSent = (db: Db, appId: string, sentIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_reports')
      .select(['id', 'sent_id', 'install_id'])
      .where('app_id', '=', appId)
      .where('sent_id', 'in', sentIds),
  );

export const insertReports = (db: Db, rows: readonly CrashReportsTable[]) =>
  inChunks(rows, (some) => query(db, (q) => q.insertInto('crash_reports').values(some)));
export const insertBodies = (db: Db, rows: readonly CrashBodiesTable[]) =>
  inChunks(rows, (some) => query(db, (q) => q.insertInto('crash_bodies').values(some)));
export const insertProperties = (db: Db, rows: readonly CrashPropertiesTable[]) =>
  inChunks(rows, (some) =>
    query(db, (q) =>
      q
        .insertInto('crash_properties')
        .values(some)
        .onConflict((c) => c.doNothing()),
    ),
  );

export const findReport = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('crash_reports').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const findBody = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('crash_bodies').select(['log', 'stack']).where('app_id', '=', p.appId).where('report_id', '=', p.id),
);

export const listBodies = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_bodies')
      .select(['report_id', 'log', 'stack'])
      .where('app_id', '=', appId)
      .where('report_id', 'in', ids),
  );

/** Updates a report after reprocessing. */
export const updateProcessed = statement(
  (
    q,
    p: {
      appId: string;
      id: string;
      groupId: string | null;
      state: CrashReportsTable['state'];
      note: string;
      isSymbolicated: 0 | 1;
    },
  ) =>
    q
      .updateTable('crash_reports')
      .set({ group_id: p.groupId, state: p.state, note: p.note, is_symbolicated: p.isSymbolicated })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);

export const updateStack = statement((q, p: { appId: string; id: string; stack: Uint8Array }) =>
  q.updateTable('crash_bodies').set({ stack: p.stack }).where('app_id', '=', p.appId).where('report_id', '=', p.id),
);

/** Newest first, after a position. */
export const listReportsBefore = statement((q, p: { appId: string; at: number; id: string; limit: number }) =>
  q
    .selectFrom('crash_reports')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where(sql<boolean>`(at, id) < (${p.at}, ${p.id})`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** A literal, to match the partial index: a bound parameter would not. */
const hasFailed = sql<boolean>`state = 'failed'`;

/** Selected reports, those of selected groups, failed ones, or all; by ID. */
export const listReportsToProcess = (
  db: Db,
  appId: string,
  {
    reportIds,
    groupIds,
    isFailed,
    after,
    limit,
  }: {
    reportIds?: readonly string[];
    groupIds?: readonly string[];
    isFailed?: boolean;
    after: string;
    limit: number;
  },
) =>
  query(db, (q) => {
    let found = q.selectFrom('crash_reports').selectAll().where('app_id', '=', appId).where('id', '>', after);
    if (reportIds) found = found.where('id', 'in', reportIds);
    if (groupIds) found = found.where('group_id', 'in', groupIds);
    if (isFailed) found = found.where(hasFailed);
    return found.orderBy('id').limit(limit);
  });

export const countReportsToProcess = async (
  db: Db,
  appId: string,
  {
    reportIds,
    groupIds,
    isFailed,
  }: { reportIds?: readonly string[]; groupIds?: readonly string[]; isFailed?: boolean },
): Promise<number> => {
  const [row] = await query(db, (q) => {
    let found = q.selectFrom('crash_reports').select((e) => e.fn.countAll<number>().as('count'));
    found = found.where('app_id', '=', appId);
    if (reportIds) found = found.where('id', 'in', reportIds);
    if (groupIds) found = found.where('group_id', 'in', groupIds);
    if (isFailed) found = found.where(hasFailed);
    return found;
  });
  return Number(row?.count ?? 0);
};

export const listReportsById = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) => q.selectFrom('crash_reports').selectAll().where('app_id', '=', appId).where('id', 'in', ids));

export const pageFailed = statement((q, p: { appId: string; limit: number; skip: number }) =>
  q
    .selectFrom('crash_reports')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where(hasFailed)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.skip),
);

export async function deleteReportRows(db: Db, appId: string, ids: readonly string[]): Promise<void> {
  await inChunks(ids, async (some) => {
    await query(db, (q) => q.deleteFrom('crash_bodies').where('app_id', '=', appId).where('report_id', 'in', some));
    await query(db, (q) => q.deleteFrom('crash_properties').where('app_id', '=', appId).where('report_id', 'in', some));
    await query(db, (q) => q.deleteFrom('crash_reports').where('app_id', '=', appId).where('id', 'in', some));
  });
}

/** Expired reports, oldest first. */
export const listOldReports = statement((q, p: { appId: string; before: number; limit: number }) =>
  q
    .selectFrom('crash_reports')
    .select(['id', 'sent_id', 'install_id'])
    .where('app_id', '=', p.appId)
    .where('at', '<', p.before)
    .orderBy('at')
    .limit(p.limit),
);

/** The next app with reports, even if it was deleted. */
export const findAppWithReports = statement((q, p: { after: string }) =>
  q
    .selectFrom('crash_reports')
    .leftJoin('app_names', 'app_names.id', 'crash_reports.app_id')
    .select(['crash_reports.app_id', 'app_names.id as kept'])
    .where('crash_reports.app_id', '>', p.after)
    .orderBy('crash_reports.app_id')
    .limit(1),
);
