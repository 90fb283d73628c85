import type { Db } from '../../db/open.ts';
import { insertInto, query, statement } from './webhooks.tables.ts';

/** Inserts nothing if the key was announced before. */
export const insertAnnouncement = insertInto('announcements', (insert) =>
  insert.onConflict((c) => c.column('once_key').doNothing()).returning('id'),
);

export const findAnnouncementRow = statement((q, p: { id: string }) =>
  q.selectFrom('announcements').selectAll().where('id', '=', p.id),
);

export type AnnouncementRow = NonNullable<Awaited<ReturnType<typeof findAnnouncementRow.first>>>;

export const listAnnouncementRows = (db: Db, ids: readonly string[]): Promise<AnnouncementRow[]> =>
  query(db, (q) => q.selectFrom('announcements').selectAll().where('id', 'in', ids));

export const findAnnouncedAppRow = statement((q, p: { id: string }) =>
  q
    .selectFrom('app_names')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select([
      'app_names.id',
      'app_names.name',
      'app_names.display_name',
      'app_names.platform',
      'owner_names.id as owner_id',
      'owner_names.name as owner_name',
      'owner_names.kind as owner_kind',
    ])
    .where('app_names.id', '=', p.id),
);

export const findAnnouncedOrgRow = statement((q, p: { id: string }) =>
  q.selectFrom('owner_names').select(['id', 'name', 'display_name']).where('id', '=', p.id).where('kind', '=', 'org'),
);

/** Deletes the oldest announcements, a few per statement. */
export const deleteOldAnnouncements = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('announcements')
    .where(
      'id',
      'in',
      q.selectFrom('announcements').select('id').where('at', '<', p.before).orderBy('at').orderBy('id').limit(p.limit),
    ),
);
