import { idsWithTimes } from '../../../db/portable.ts';
import { insertInto, statement } from '../provisioning.tables.ts';

export const findTokenOrg = statement((q, p: { hash: string }) =>
  q
    .selectFrom('scim_tokens')
    .innerJoin('owner_names', 'owner_names.id', 'scim_tokens.org_id')
    .select(['scim_tokens.id', 'scim_tokens.org_id', 'owner_names.name'])
    .where('scim_tokens.hash', '=', p.hash),
);

export const listTokens = statement((q, p: { orgId: string }) =>
  q
    .selectFrom('scim_tokens')
    .leftJoin('owner_names', 'owner_names.id', 'scim_tokens.created_by')
    .select([
      'scim_tokens.id',
      'scim_tokens.description',
      'scim_tokens.last_four',
      'scim_tokens.created_at',
      'scim_tokens.last_used_at',
      'owner_names.name as creator_name',
    ])
    .where('scim_tokens.org_id', '=', p.orgId)
    .orderBy('scim_tokens.id', 'desc'),
);

export const insertToken = insertInto('scim_tokens');

/** Returns a row for exactly one of several concurrent revocations. */
export const deleteToken = statement((q, p: { orgId: string; id: string }) =>
  q
    .deleteFrom('scim_tokens')
    .where('org_id', '=', p.orgId)
    .where('id', '=', p.id)
    .returning(['description', 'last_four']),
);

/** `uses` is a JSON array of an ID, a time and an address each. */
export const touchTokens = statement((q, p: { uses: string }, dialect) =>
  q
    .updateTable('scim_tokens')
    .from(idsWithTimes(dialect, p.uses).as('used'))
    .set((eb) => ({ last_used_at: eb.ref('used.at') }))
    .whereRef('scim_tokens.id', '=', 'used.id'),
);
