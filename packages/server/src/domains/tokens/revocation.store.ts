import type { Kysely } from 'kysely';
import { isAmong, lockRows } from '../../db/portable.ts';
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
      'api_tokens.created_by',
      'owners.name as creator_name',
      'users.service_org_id',
    ])
    .orderBy('api_tokens.id');

export const listTokensMadeBy = statement((q, p: { userId: string }) =>
  selectTokens(q).where('api_tokens.created_by', '=', p.userId),
);

/** `userIds` is a JSON array. Only tokens of apps. */
export const listAppTokensMadeBy = statement((q, p: { userIds: string }, dialect) =>
  selectTokens(q)
    .where(isAmong(dialect, 'api_tokens.created_by', p.userIds))
    .where('api_tokens.app_id', 'is not', null),
);

/** An account that is creating a token holds its row until the token is there. */
export const lockCreators = statement((q, p: { userIds: string }, dialect) =>
  lockRows(
    dialect,
    q
      .selectFrom('users')
      .select('id')
      .where(isAmong(dialect, 'id', p.userIds))
      .orderBy('id'),
  ),
);

export const listTokensOfApp = statement((q, p: { appId: string }) =>
  selectTokens(q).where('api_tokens.app_id', '=', p.appId),
);

/** Something comes back for exactly one of those who revoke it at the same time. */
export const deleteToken = statement((q, p: { id: string }) =>
  q.deleteFrom('api_tokens').where('id', '=', p.id).returning('id'),
);
