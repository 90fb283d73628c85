import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { query } from '../crashes.tables.ts';

interface DataSubject {
  appId: string;
  kind: 'install' | 'user';
  value: string;
}

export interface ErasedSubject extends DataSubject {
  until: number;
}

/** All reports of a subject, by ID. */
export const pageSubjectReports = (
  db: Db,
  { appId, kind, value }: DataSubject,
  { after, limit }: { after: string; limit: number },
) =>
  query(db, (q) =>
    q
      .selectFrom('crash_reports')
      .selectAll()
      .where('app_id', '=', appId)
      .where(kind === 'install' ? 'install_id' : 'user_id', '=', value)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit),
  );

export const listSubjectReports = (db: Db, { appId, kind, value, until }: ErasedSubject, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom('crash_reports')
      .select(['id', 'sent_id', 'install_id'])
      .where('app_id', '=', appId)
      .where(kind === 'install' ? 'install_id' : 'user_id', '=', value)
      .where('received_at', '<=', until)
      .limit(limit),
  );

/** Includes attachments without a report. */
export const listSubjectAttachments = (db: Db, { appId, value, until }: ErasedSubject, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom('crash_attachments')
      .select(['id', 'blob_key'])
      .where('app_id', '=', appId)
      .where('install_id', '=', value)
      .where('created_at', '<=', until)
      .limit(limit),
  );

const deviceTables = ['crash_group_devices', 'crash_issue_devices', 'crash_app_devices'] as const;

export async function countDeviceRows(db: Db, { appId, value }: DataSubject): Promise<number> {
  let count = 0;
  for (const table of deviceTables) {
    const [row] = await query(db, (q) =>
      q
        .selectFrom(table)
        .select(sql<number>`count(*)`.as('count'))
        .where('app_id', '=', appId)
        .where('install_id', '=', value),
    );
    count += Number(row?.count ?? 0);
  }
  return count;
}

/** Device statistics still name devices of expired reports. Removes the device; the totals stay. */
export async function deleteDevice(db: Db, { appId, value }: ErasedSubject): Promise<void> {
  for (const table of deviceTables)
    await query(db, (q) => q.deleteFrom(table).where('app_id', '=', appId).where('install_id', '=', value));
}
