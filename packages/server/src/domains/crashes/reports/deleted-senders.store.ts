import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { query } from '../crashes.tables.ts';

interface KnownSender {
  appId: string;
  kind: 'install' | 'user';
  value: string;
}

export interface Sender extends KnownSender {
  until: number;
}

/** All of their reports, in the order of their ids. */
export const pageReportsOf = (
  db: Db,
  { appId, kind, value }: KnownSender,
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

export const listReportsOf = (db: Db, { appId, kind, value, until }: Sender, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom('crash_reports')
      .select(['id', 'sent_id', 'install_id'])
      .where('app_id', '=', appId)
      .where(kind === 'install' ? 'install_id' : 'user_id', '=', value)
      .where('received_at', '<=', until)
      .limit(limit),
  );

/** Those whose report never came, too. */
export const listAttachmentsOf = (db: Db, { appId, value, until }: Sender, limit: number) =>
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

export async function countDeviceRows(db: Db, { appId, value }: KnownSender): Promise<number> {
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

/** Of reports that are kept no longer it is still known which devices they came from; how many those were stays. */
export async function deleteDevice(db: Db, { appId, value }: Sender): Promise<void> {
  for (const table of deviceTables)
    await query(db, (q) => q.deleteFrom(table).where('app_id', '=', appId).where('install_id', '=', value));
}
