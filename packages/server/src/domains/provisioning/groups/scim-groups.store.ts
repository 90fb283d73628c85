import type { Kysely } from 'kysely';
import { isAmong, lockRows } from '../../../db/portable.ts';
import { insertInto, statement, type Tables } from '../provisioning.tables.ts';

const selectGroups = (q: Kysely<Tables>, p: { orgId: string }) =>
  q
    .selectFrom('scim_groups')
    .select(['team_id', 'external_id', 'display_name', 'created_at', 'updated_at'])
    .where('org_id', '=', p.orgId);

export const findGroup = statement((q, p: { orgId: string; id: string }) =>
  selectGroups(q, p).where('team_id', '=', p.id),
);

/** Locked so that concurrent changes of one group run one after another. */
export const lockGroup = statement((q, p: { orgId: string; id: string }, dialect) =>
  lockRows(dialect, selectGroups(q, p).where('team_id', '=', p.id)),
);

export const findGroupByName = statement((q, p: { orgId: string; key: string }) =>
  selectGroups(q, p).where('display_name_key', '=', p.key),
);

export const listGroupRows = statement((q, p: { orgId: string; limit: number }) =>
  selectGroups(q, p).orderBy('team_id').limit(p.limit),
);

export const insertGroup = insertInto('scim_groups');

export const updateGroup = statement(
  (
    q,
    p: { id: string; external_id: string | null; display_name: string; display_name_key: string; updated_at: number },
  ) =>
    q
      .updateTable('scim_groups')
      .set({
        external_id: p.external_id,
        display_name: p.display_name,
        display_name_key: p.display_name_key,
        updated_at: p.updated_at,
      })
      .where('team_id', '=', p.id),
);

/** `ids` is a JSON array. Which of these are users of the directory. */
export const findKnownUsers = statement((q, p: { orgId: string; ids: string }, dialect) =>
  q
    .selectFrom('scim_users')
    .select('user_id')
    .where('org_id', '=', p.orgId)
    .where('user_name_key', 'is not', null)
    .where(isAmong(dialect, 'user_id', p.ids)),
);
