import type { Kysely } from 'kysely';
import { personColumns } from '../../db/columns.ts';
import { lockRows } from '../../db/portable.ts';
import { insertInto, statement, type Tables } from './tokens.tables.ts';

/** With everything that makes an actor, in one read. */
export const findTokenUser = statement((q, p: { hash: string }) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.created_by')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      'api_tokens.id as token_id',
      'api_tokens.app_id',
      'api_tokens.scope',
      'api_tokens.expires_at',
      ...personColumns,
      'users.is_disabled',
    ])
    .where('api_tokens.hash', '=', p.hash),
);

/** Token creations of one account wait for each other here, so that they cannot race past the limit. */
export const lockAccount = statement((q, p: { userId: string }, dialect) =>
  lockRows(dialect, q.selectFrom('users').select('id').where('id', '=', p.userId)),
);

export const countTokensOfAccount = statement((q, p: { userId: string }) =>
  q
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_by', '=', p.userId),
);

export const insertToken = insertInto('api_tokens');

const selectTokens = (q: Kysely<Tables>) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.created_by')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      'api_tokens.id',
      'api_tokens.app_id',
      'api_tokens.description',
      'api_tokens.scope',
      'api_tokens.last_four',
      'api_tokens.created_at',
      'api_tokens.expires_at',
      'api_tokens.last_used_at',
      'api_tokens.created_by',
      'owners.name as creator_name',
      'users.service_org_id',
    ])
    .orderBy('api_tokens.created_at', 'desc')
    .orderBy('api_tokens.id', 'desc');

export const listTokensOfUser = statement((q, p: { userId: string }) =>
  selectTokens(q).where('api_tokens.created_by', '=', p.userId).where('api_tokens.app_id', 'is', null),
);

/** Of both kinds, each app token with its app. */
export const listTokensMadeBy = statement((q, p: { userId: string }) =>
  selectTokens(q)
    .leftJoin('apps', 'apps.id', 'api_tokens.app_id')
    .leftJoin('owners as app_owners', 'app_owners.id', 'apps.owner_id')
    .select(['apps.name as app_name', 'app_owners.name as app_owner'])
    .where('api_tokens.created_by', '=', p.userId),
);

export const findTokenMadeBy = statement((q, p: { id: string; userId: string }) =>
  selectTokens(q).where('api_tokens.id', '=', p.id).where('api_tokens.created_by', '=', p.userId),
);

export const listTokensOfApp = statement((q, p: { appId: string }) =>
  selectTokens(q).where('api_tokens.app_id', '=', p.appId),
);

export const findUserToken = statement((q, p: { id: string; userId: string }) =>
  selectTokens(q)
    .where('api_tokens.id', '=', p.id)
    .where('api_tokens.created_by', '=', p.userId)
    .where('api_tokens.app_id', 'is', null),
);

export const findAppToken = statement((q, p: { id: string; appId: string }) =>
  selectTokens(q).where('api_tokens.id', '=', p.id).where('api_tokens.app_id', '=', p.appId),
);

export const touchToken = statement((q, p: { id: string; at: number }) =>
  q.updateTable('api_tokens').set({ last_used_at: p.at }).where('id', '=', p.id),
);
