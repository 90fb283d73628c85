import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { personColumns } from '../../db/columns.ts';
import { folded, inOrder, mentionsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { idsWithTimes, lockRows } from '../../db/portable.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { insertInto, query, statement, type Tables } from './tokens.tables.ts';

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

export const findExpiry = statement((q, p: { id: string }) =>
  q.selectFrom('api_tokens').select('expires_at').where('id', '=', p.id),
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
    ]);

/** Both databases put nulls elsewhere: what was never used comes before what was, what never expires after what does. */
const tokenKeys = {
  created_at: sql.ref<number>('api_tokens.created_at'),
  description: sql<string>`coalesce(${folded('api_tokens.description')}, '')`,
  scope: sql.ref<string>('api_tokens.scope'),
  last_four: sql.ref<string>('api_tokens.last_four'),
  created_by: sql.ref<string>('owners.name_key'),
  last_used_at: sql<number>`coalesce(api_tokens.last_used_at, 0)`,
  expires_at: sql<number>`coalesce(api_tokens.expires_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`,
};
type ArrangedTokens = Arrangement<keyof typeof tokenKeys>;
const searched = ['api_tokens.description', 'api_tokens.last_four', 'owners.name'];

const arrange = <DB, TB extends keyof DB, O>(
  tokens: SelectQueryBuilder<DB, TB, O>,
  { words, sort, order }: ArrangedTokens,
) =>
  inOrder(
    tokens.where(mentionsWords(words, searched)),
    { key: tokenKeys[sort], id: sql.ref('api_tokens.id') },
    { order },
  );

export const listTokensOfUser = (db: Db, userId: string, arranged: ArrangedTokens) =>
  query(db, (q) =>
    arrange(
      selectTokens(q).where('api_tokens.created_by', '=', userId).where('api_tokens.app_id', 'is', null),
      arranged,
    ),
  );

/** Of both kinds, each app token with its app. */
export const listTokensMadeBy = (db: Db, userId: string, arranged: ArrangedTokens) =>
  query(db, (q) =>
    arrange(
      selectTokens(q)
        .leftJoin('apps', 'apps.id', 'api_tokens.app_id')
        .leftJoin('owners as app_owners', 'app_owners.id', 'apps.owner_id')
        .select(['apps.name as app_name', 'app_owners.name as app_owner'])
        .where('api_tokens.created_by', '=', userId),
      arranged,
    ),
  );

export const findTokenMadeBy = statement((q, p: { id: string; userId: string }) =>
  selectTokens(q).where('api_tokens.id', '=', p.id).where('api_tokens.created_by', '=', p.userId),
);

export const listTokensOfApp = (db: Db, appId: string, arranged: ArrangedTokens) =>
  query(db, (q) => arrange(selectTokens(q).where('api_tokens.app_id', '=', appId), arranged));

export const findUserToken = statement((q, p: { id: string; userId: string }) =>
  selectTokens(q)
    .where('api_tokens.id', '=', p.id)
    .where('api_tokens.created_by', '=', p.userId)
    .where('api_tokens.app_id', 'is', null),
);

export const findAppToken = statement((q, p: { id: string; appId: string }) =>
  selectTokens(q).where('api_tokens.id', '=', p.id).where('api_tokens.app_id', '=', p.appId),
);

/** `uses` is a JSON array of pairs of an id and a time. */
export const touchTokens = statement((q, p: { uses: string }, dialect) =>
  q
    .updateTable('api_tokens')
    .from(idsWithTimes(dialect, p.uses).as('used'))
    .set((eb) => ({ last_used_at: eb.ref('used.at') }))
    .whereRef('api_tokens.id', '=', 'used.id'),
);

/** Those that end between two times, of accounts that can still sign in. */
export const listExpiring = statement((q, p: { after: string; from: number; until: number; limit: number }) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('owners', 'owners.id', 'api_tokens.created_by')
    .innerJoin('users', 'users.id', 'api_tokens.created_by')
    .select([
      'api_tokens.id',
      'api_tokens.app_id',
      'api_tokens.created_by',
      'api_tokens.description',
      'api_tokens.expires_at',
      'owners.name',
      'users.service_org_id',
    ])
    .where('api_tokens.expires_at', '>', p.from)
    .where('api_tokens.expires_at', '<=', p.until)
    .where('api_tokens.id', '>', p.after)
    .where((eb) => eb.or([eb('users.is_disabled', '=', 0), eb('api_tokens.app_id', 'is not', null)]))
    .orderBy('api_tokens.id')
    .limit(p.limit),
);
