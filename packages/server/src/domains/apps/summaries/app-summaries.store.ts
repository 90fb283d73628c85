import type { Db } from '../../../db/open.ts';
import { query } from '../apps.tables.ts';

/** Recently changed apps first. */
export const listReadableApps = (db: Db, p: { orgId: string; userId: string; limit: number }) =>
  query(db, (q) =>
    q
      .selectFrom('apps')
      .select(['apps.id', 'apps.name', 'apps.display_name', 'apps.os', 'apps.icon_url', 'apps.updated_at'])
      .where('apps.owner_id', '=', p.orgId)
      .where('apps.id', 'in', (eb) =>
        eb.selectFrom('app_readers').select('app_readers.app_id').where('app_readers.user_id', '=', p.userId),
      )
      .orderBy('apps.updated_at', 'desc')
      .orderBy('apps.id')
      .limit(p.limit),
  );

/** Those of the apps that the user may view. */
export const listReadableIds = (db: Db, p: { ids: readonly string[]; userId: string }) =>
  query(db, (q) =>
    q
      .selectFrom('app_readers')
      .select('app_readers.app_id')
      .distinct()
      .where('app_readers.app_id', 'in', p.ids)
      .where('app_readers.user_id', '=', p.userId),
  );
