import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { isAmong } from '../../db/portable.ts';
import { mentionsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import { insertInto, query, statement } from './usage.tables.ts';

export const listOwnerApps = statement((q, p: { ownerIds: string }, dialect) =>
  q
    .selectFrom('app_names')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select(['app_names.id', 'app_names.name', 'app_names.owner_id', 'owner_names.name as owner_name'])
    .where(isAmong(dialect, 'app_names.owner_id', p.ownerIds))
    .orderBy('app_names.id'),
);

/** Lists a user and the organizations that they administer. */
export const listUserAccounts = statement((q, p: { userId: string }) =>
  q
    .selectFrom('owner_names')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('id', '=', p.userId),
        eb(
          'id',
          'in',
          q
            .selectFrom('organization_members')
            .select('organization_members.org_id')
            .where('organization_members.user_id', '=', p.userId)
            .where('organization_members.role', '=', 'admin'),
        ),
      ]),
    ),
);

export const findQuota = statement((q, p: { ownerId: string; measure: string }) =>
  q.selectFrom('quotas').select('most').where('owner_id', '=', p.ownerId).where('measure', '=', p.measure),
);

export const listOwnerQuotas = statement((q, p: { ownerIds: string }, dialect) =>
  q
    .selectFrom('quotas')
    .selectAll()
    .where(isAmong(dialect, 'owner_id', p.ownerIds)),
);

export const pageLimited = (db: Db, listing: Listing<'name'>) =>
  query(db, (q) =>
    selectPage(
      q
        .selectFrom('owner_names')
        .select(['owner_names.id', 'owner_names.name', 'owner_names.kind'])
        .where('owner_names.id', 'in', q.selectFrom('quotas').select('quotas.owner_id'))
        .where(mentionsTerms(listing.terms, ['owner_names.name'])),
      { key: sql.ref<string>('owner_names.name_key'), id: sql.ref('owner_names.id') },
      listing,
    ),
  );

export const saveQuota = insertInto('quotas', (insert, p) =>
  insert.onConflict((c) => c.columns(['owner_id', 'measure']).doUpdateSet({ most: p.most })),
);

export const deleteQuota = statement((q, p: { ownerId: string; measure: string }) =>
  q.deleteFrom('quotas').where('owner_id', '=', p.ownerId).where('measure', '=', p.measure),
);
