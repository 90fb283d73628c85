import type { Db } from '../../../db/open.ts';
import { query } from '../crashes.tables.ts';

export interface Sender {
  appId: string;
  kind: 'install' | 'user';
  value: string;
  until: number;
}

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

/** Of reports that are kept no longer it is still known which devices they came from; how many those were stays. */
export async function deleteDevice(db: Db, { appId, value }: Sender): Promise<void> {
  for (const table of ['crash_group_devices', 'crash_issue_devices', 'crash_app_devices'] as const)
    await query(db, (q) => q.deleteFrom(table).where('app_id', '=', appId).where('install_id', '=', value));
}
