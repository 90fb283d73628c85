import type { Kysely } from 'kysely';
import { lockRows } from '../../../db/portable.ts';
import { insertInto, statement, type Tables } from '../provisioning.tables.ts';

const selectUsers = (q: Kysely<Tables>, p: { orgId: string }) =>
  q
    .selectFrom('scim_users')
    .innerJoin('people', 'people.id', 'scim_users.user_id')
    .leftJoin('organization_members', (join) =>
      join
        .onRef('organization_members.user_id', '=', 'scim_users.user_id')
        .onRef('organization_members.org_id', '=', 'scim_users.org_id'),
    )
    .select([
      'scim_users.user_id',
      'scim_users.user_name',
      'scim_users.external_id',
      'scim_users.attributes',
      'scim_users.has_disabled',
      'scim_users.removed_role',
      'scim_users.created_at',
      'scim_users.updated_at',
      'people.name',
      'people.is_disabled',
      'organization_members.role',
    ])
    .where('scim_users.org_id', '=', p.orgId)
    .where('scim_users.user_name_key', 'is not', null);

export const findUser = statement((q, p: { orgId: string; id: string }) =>
  selectUsers(q, p).where('scim_users.user_id', '=', p.id),
);

/** Locked so that concurrent changes of one user run one after another. */
export const lockUser = statement((q, p: { orgId: string; id: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('scim_users').select('user_id').where('org_id', '=', p.orgId).where('user_id', '=', p.id),
  ),
);

export const findUserByName = statement((q, p: { orgId: string; key: string }) =>
  selectUsers(q, p).where('scim_users.user_name_key', '=', p.key),
);

export const findUsersByExternalId = statement((q, p: { orgId: string; externalId: string; limit: number }) =>
  selectUsers(q, p).where('scim_users.external_id', '=', p.externalId).orderBy('scim_users.user_id').limit(p.limit),
);

export const pageUsers = statement((q, p: { orgId: string; offset: number; limit: number }) =>
  selectUsers(q, p).orderBy('scim_users.user_id').limit(p.limit).offset(p.offset),
);

/** Users after an ID, in order. */
export const listUsersAfter = statement((q, p: { orgId: string; after: string; limit: number }) =>
  selectUsers(q, p).where('scim_users.user_id', '>', p.after).orderBy('scim_users.user_id').limit(p.limit),
);

/** A deleted user is added again with the marks that it had. */
export const saveUser = insertInto('scim_users', (insert) =>
  insert.onConflict((c) =>
    c.columns(['org_id', 'user_id']).doUpdateSet((e) => ({
      user_name: e.ref('excluded.user_name'),
      user_name_key: e.ref('excluded.user_name_key'),
      external_id: e.ref('excluded.external_id'),
      attributes: e.ref('excluded.attributes'),
      updated_at: e.ref('excluded.updated_at'),
    })),
  ),
);

export const saveMarks = statement(
  (q, p: { orgId: string; id: string; has_disabled: 0 | 1; removed_role: string | null }) =>
    q
      .updateTable('scim_users')
      .set({ has_disabled: p.has_disabled, removed_role: p.removed_role })
      .where('org_id', '=', p.orgId)
      .where('user_id', '=', p.id),
);

/** An administrator has disabled the account: no directory may enable it. */
export const forgetDisabling = statement((q, p: { userId: string }) =>
  q.updateTable('scim_users').set({ has_disabled: 0 }).where('user_id', '=', p.userId),
);

/** The membership was ended by hand: the directory may not restore it. */
export const forgetRemoval = statement((q, p: { orgId: string; userId: string }) =>
  q.updateTable('scim_users').set({ removed_role: null }).where('org_id', '=', p.orgId).where('user_id', '=', p.userId),
);

/** Keeps the marks only, in case the directory adds the user again. */
export const forgetUser = statement((q, p: { orgId: string; id: string; at: number }) =>
  q
    .updateTable('scim_users')
    .set({ user_name_key: null, external_id: null, attributes: '{}', updated_at: p.at })
    .where('org_id', '=', p.orgId)
    .where('user_id', '=', p.id),
);
