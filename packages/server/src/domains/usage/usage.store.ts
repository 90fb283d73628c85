import { sql } from 'kysely';
import { mentionsWords, selectPage } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { isAmong } from '../../db/portable.ts';
import type { Listing } from '../../kernel/paging.ts';
import { insertInto, query, statement } from './usage.tables.ts';

export const listAppsOf = statement((q, p: { ownerIds: string }, dialect) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select(['apps.id', 'apps.name', 'apps.owner_id', 'owners.name as owner_name'])
    .where(isAmong(dialect, 'apps.owner_id', p.ownerIds))
    .orderBy('apps.id'),
);

/** Somebody, and the organizations that they administer. */
export const listAccountsOf = statement((q, p: { userId: string }) =>
  q
    .selectFrom('owners')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('id', '=', p.userId),
        eb(
          'id',
          'in',
          q
            .selectFrom('org_members')
            .select('org_members.org_id')
            .where('org_members.user_id', '=', p.userId)
            .where('org_members.role', '=', 'admin'),
        ),
      ]),
    ),
);

export const findQuota = statement((q, p: { ownerId: string; measure: string }) =>
  q.selectFrom('quotas').select('most').where('owner_id', '=', p.ownerId).where('measure', '=', p.measure),
);

export const listQuotasOf = statement((q, p: { ownerIds: string }, dialect) =>
  q
    .selectFrom('quotas')
    .selectAll()
    .where(isAmong(dialect, 'owner_id', p.ownerIds)),
);

export const pageLimited = (db: Db, listing: Listing<'name'>) =>
  query(db, (q) =>
    selectPage(
      q
        .selectFrom('owners')
        .select(['owners.id', 'owners.name', 'owners.kind'])
        .where('owners.id', 'in', q.selectFrom('quotas').select('quotas.owner_id'))
        .where(mentionsWords(listing.words, ['owners.name'])),
      { key: sql.ref<string>('owners.name_key'), id: sql.ref('owners.id') },
      listing,
    ),
  );

export const saveQuota = insertInto('quotas', (insert, p) =>
  insert.onConflict((c) => c.columns(['owner_id', 'measure']).doUpdateSet({ most: p.most })),
);

export const deleteQuota = statement((q, p: { ownerId: string; measure: string }) =>
  q.deleteFrom('quotas').where('owner_id', '=', p.ownerId).where('measure', '=', p.measure),
);
