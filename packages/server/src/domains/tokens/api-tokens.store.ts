import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { idsWithTimes } from '../../db/portable.ts';
import { personColumns } from '../../db/rows/columns.ts';
import { folded, inOrder, mentionsTerms } from '../../db/rows/listing.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { insertInto, query, statement, type Tables } from './tokens.tables.ts';

/** Reads everything that an actor needs in one query. */
export const findTokenUser = statement((q, p: { hash: string }) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('people', 'people.id', 'api_tokens.created_by')
    .select([
      'api_tokens.id as token_id',
      'api_tokens.app_id',
      'api_tokens.scope',
      'api_tokens.limits',
      'api_tokens.expires_at',
      ...personColumns,
      'people.is_disabled',
    ])
    .where('api_tokens.hash', '=', p.hash),
);

export const countAccountTokens = statement((q, p: { userId: string }) =>
  q
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_by', '=', p.userId),
);

/** Tokens of an app, those that expire first at the start. */
export const listAppExpiries = statement((q, p: { appId: string }) =>
  q
    .selectFrom('api_tokens')
    .select(['id', 'description', 'expires_at'])
    .where('app_id', '=', p.appId)
    .orderBy('expires_at')
    .orderBy('id'),
);

export const findExpiry = statement((q, p: { id: string }) =>
  q.selectFrom('api_tokens').select('expires_at').where('id', '=', p.id),
);

export const insertToken = insertInto('api_tokens');

const selectTokens = (q: Kysely<Tables>) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('people', 'people.id', 'api_tokens.created_by')
    .select([
      'api_tokens.id',
      'api_tokens.app_id',
      'api_tokens.description',
      'api_tokens.scope',
      'api_tokens.limits',
      'api_tokens.last_four',
      'api_tokens.created_at',
      'api_tokens.expires_at',
      'api_tokens.last_used_at',
      'api_tokens.last_used_from',
      'api_tokens.created_by',
      'people.name as creator_name',
      'people.service_org_id',
    ]);

/**
 * The databases sort nulls differently: tokens that were never used come before others, tokens that never expire after others.
 */
const tokenKeys = {
  created_at: sql.ref<number>('api_tokens.created_at'),
  description: sql<string>`coalesce(${folded('api_tokens.description')}, '')`,
  scope: sql.ref<string>('api_tokens.scope'),
  last_four: sql.ref<string>('api_tokens.last_four'),
  created_by: sql.ref<string>('people.name_key'),
  last_used_at: sql<number>`coalesce(api_tokens.last_used_at, 0)`,
  expires_at: sql<number>`coalesce(api_tokens.expires_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`,
};
type ArrangedTokens = Arrangement<keyof typeof tokenKeys>;
const searched = ['api_tokens.description', 'api_tokens.last_four', 'people.name'];

const arrange = <DB, TB extends keyof DB, O>(
  tokens: SelectQueryBuilder<DB, TB, O>,
  { terms, sort, order }: ArrangedTokens,
) =>
  inOrder(
    tokens.where(mentionsTerms(terms, searched)),
    { key: tokenKeys[sort], id: sql.ref('api_tokens.id') },
    { order },
  );

export const listUserTokenRows = (db: Db, userId: string, arranged: ArrangedTokens) =>
  query(db, (q) =>
    arrange(
      selectTokens(q).where('api_tokens.created_by', '=', userId).where('api_tokens.app_id', 'is', null),
      arranged,
    ),
  );

/** Tokens of both kinds; app tokens with their app. */
export const listTokensMadeBy = (db: Db, userId: string, arranged: ArrangedTokens) =>
  query(db, (q) =>
    arrange(
      selectTokens(q)
        .leftJoin('app_names', 'app_names.id', 'api_tokens.app_id')
        .leftJoin('owner_names as app_owners', 'app_owners.id', 'app_names.owner_id')
        .select(['app_names.name as app_name', 'app_owners.name as app_owner'])
        .where('api_tokens.created_by', '=', userId),
      arranged,
    ),
  );

export const findTokenMadeBy = statement((q, p: { id: string; userId: string }) =>
  selectTokens(q).where('api_tokens.id', '=', p.id).where('api_tokens.created_by', '=', p.userId),
);

export const listAppTokenRows = (db: Db, appId: string, arranged: ArrangedTokens) =>
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

/** `uses` is a JSON array of an ID, a time and an address each. */
export const touchTokens = statement((q, p: { uses: string }, dialect) =>
  q
    .updateTable('api_tokens')
    .from(idsWithTimes(dialect, p.uses).as('used'))
    .set((eb) => ({ last_used_at: eb.ref('used.at'), last_used_from: eb.ref('used.address') }))
    .whereRef('api_tokens.id', '=', 'used.id'),
);

/** Tokens that expire between two times, of accounts that can sign in. */
export const listExpiring = statement((q, p: { after: string; from: number; until: number; limit: number }) =>
  q
    .selectFrom('api_tokens')
    .innerJoin('people', 'people.id', 'api_tokens.created_by')
    .select([
      'api_tokens.id',
      'api_tokens.app_id',
      'api_tokens.created_by',
      'api_tokens.description',
      'api_tokens.expires_at',
      'people.name',
      'people.service_org_id',
    ])
    .where('api_tokens.expires_at', '>', p.from)
    .where('api_tokens.expires_at', '<=', p.until)
    .where('api_tokens.id', '>', p.after)
    .where((eb) => eb.or([eb('people.is_disabled', '=', 0), eb('api_tokens.app_id', 'is not', null)]))
    .orderBy('api_tokens.id')
    .limit(p.limit),
);
