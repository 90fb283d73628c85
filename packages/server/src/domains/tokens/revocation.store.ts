import type { Kysely } from 'kysely';
import { isAmong } from '../../db/portable.ts';
import { statement, type Tables } from './tokens.tables.ts';

const selectTokens = (q: Kysely<Tables>) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('people', 'people.id', 'api_tokens.created_by')
    .select([
      'api_tokens.id',
      'api_tokens.description',
      'api_tokens.scope',
      'api_tokens.limits',
      'api_tokens.last_four',
      'api_tokens.app_id',
      'api_tokens.created_by',
      'people.name as creator_name',
      'people.service_org_id',
    ])
    .orderBy('api_tokens.id');

export const listTokensMadeBy = statement((q, p: { userId: string }) =>
  selectTokens(q).where('api_tokens.created_by', '=', p.userId),
);

/** `userIds` is a JSON array. Finds app tokens only. */
export const listAppTokensMadeBy = statement((q, p: { userIds: string }, dialect) =>
  selectTokens(q)
    .where(isAmong(dialect, 'api_tokens.created_by', p.userIds))
    .where('api_tokens.app_id', 'is not', null),
);

export const listAppTokens = statement((q, p: { appId: string }) =>
  selectTokens(q).where('api_tokens.app_id', '=', p.appId),
);

/** Returns a row for exactly one of several concurrent revocations. */
export const deleteToken = statement((q, p: { id: string }) =>
  q.deleteFrom('api_tokens').where('id', '=', p.id).returning('id'),
);
