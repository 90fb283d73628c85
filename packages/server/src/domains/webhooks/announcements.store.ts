import type { Db } from '../../db/open.ts';
import { insertInto, query, statement } from './webhooks.tables.ts';

/** Nothing comes back for what was announced before under the same key. */
export const insertAnnouncement = insertInto('announcements', (insert) =>
  insert.onConflict((c) => c.column('once_key').doNothing()).returning('id'),
);

export const findAnnouncementRow = statement((q, p: { id: string }) =>
  q.selectFrom('announcements').selectAll().where('id', '=', p.id),
);

export type AnnouncementRow = NonNullable<Awaited<ReturnType<typeof findAnnouncementRow.first>>>;

export const listAnnouncementRows = (db: Db, ids: readonly string[]): Promise<AnnouncementRow[]> =>
  query(db, (q) => q.selectFrom('announcements').selectAll().where('id', 'in', ids));

export const findToldApp = statement((q, p: { id: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select([
      'apps.id',
      'apps.name',
      'apps.display_name',
      'apps.platform',
      'owners.id as owner_id',
      'owners.name as owner_name',
      'owners.kind as owner_kind',
    ])
    .where('apps.id', '=', p.id),
);

export const findToldOrg = statement((q, p: { id: string }) =>
  q.selectFrom('owners').select(['id', 'name', 'display_name']).where('id', '=', p.id).where('kind', '=', 'org'),
);

/** The oldest, a few at a time. */
export const deleteOldAnnouncements = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('announcements')
    .where(
      'id',
      'in',
      q.selectFrom('announcements').select('id').where('at', '<', p.before).orderBy('at').orderBy('id').limit(p.limit),
    ),
);
