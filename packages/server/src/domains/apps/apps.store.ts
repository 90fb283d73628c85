import { statement } from '../../db/statement.ts';
import type { AppMembersTable, AppsTable } from '../../db/tables.ts';

/** An app by its address, with what one user may do to it; an empty user id finds no membership. */
export const findAppForUser = statement((q, p: { ownerKey: string; nameKey: string; userId: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .leftJoin('app_members', (join) =>
      join.onRef('app_members.app_id', '=', 'apps.id').on('app_members.user_id', '=', p.userId),
    )
    .select(['apps.id', 'apps.name', 'owners.name as owner_name', 'app_members.permission'])
    .where('owners.name_key', '=', p.ownerKey)
    .where('apps.name_key', '=', p.nameKey),
);

/** Nothing comes back when the owner has an app of that name. */
export const insertApp = statement((q, p: AppsTable) =>
  q
    .insertInto('apps')
    .values({ id: p.id, owner_id: p.owner_id, name: p.name, name_key: p.name_key, created_at: p.created_at })
    .onConflict((c) => c.columns(['owner_id', 'name_key']).doNothing())
    .returning('id'),
);

export const saveAppMember = statement((q, p: AppMembersTable) =>
  q
    .insertInto('app_members')
    .values({ app_id: p.app_id, user_id: p.user_id, permission: p.permission })
    .onConflict((c) => c.columns(['app_id', 'user_id']).doUpdateSet({ permission: p.permission })),
);
