import type { Kysely } from 'kysely';
import { statement, type Tables } from './tokens.tables.ts';

const selectTokens = (q: Kysely<Tables>) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.created_by')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      'api_tokens.id',
      'api_tokens.description',
      'api_tokens.scope',
      'api_tokens.last_four',
      'api_tokens.app_id',
      'owners.name as creator_name',
      'users.service_org_id',
    ])
    .orderBy('api_tokens.id');

export const listTokensMadeBy = statement((q, p: { userId: string }) =>
  selectTokens(q).where('api_tokens.created_by', '=', p.userId),
);

export const listTokensOfApp = statement((q, p: { appId: string }) =>
  selectTokens(q).where('api_tokens.app_id', '=', p.appId),
);

/** Something comes back for exactly one of those who revoke it at the same time. */
export const deleteToken = statement((q, p: { id: string }) =>
  q.deleteFrom('api_tokens').where('id', '=', p.id).returning('id'),
);
