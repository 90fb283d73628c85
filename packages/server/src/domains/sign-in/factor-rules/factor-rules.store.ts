import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { personColumns, personKeys, personNames } from '../../../db/rows/columns.ts';
import { containsTerms, selectPage } from '../../../db/rows/listing.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { insertInto, query, statement } from '../sign-in.tables.ts';

export const findFactorRule = statement((q, p: { id: string }) =>
  q.selectFrom('factor_rules').select('required_from').where('id', '=', p.id),
);

/** When the first rule of a user applies: that of the server, or of one of their organizations. */
export const findUserFactorRule = statement((q, p: { userId: string }) =>
  q
    .selectFrom('factor_rules')
    .select((e) => e.fn.min<number | null>('required_from').as('required_from'))
    .where((e) =>
      e.or([
        e('org_id', 'is', null),
        e('org_id', 'in', q.selectFrom('organization_members').select('org_id').where('user_id', '=', p.userId)),
      ]),
    ),
);

export const saveFactorRule = insertInto('factor_rules', (insert) =>
  insert.onConflict((c) => c.column('id').doUpdateSet((e) => ({ required_from: e.ref('excluded.required_from') }))),
);

export const deleteFactorRuleRow = statement((q, p: { id: string }) =>
  q.deleteFrom('factor_rules').where('id', '=', p.id),
);

/** Enabled people of the server or of an organization, and whether they have a second factor. */
export const pageFactorPeople = (db: Db, orgId: string | undefined, listing: Listing<keyof typeof personKeys>) =>
  query(db, (q) => {
    const people = q
      .selectFrom('people')
      .leftJoin('second_factors', (join) =>
        join.onRef('second_factors.user_id', '=', 'people.id').on('second_factors.enabled_at', 'is not', null),
      )
      .select([...personColumns, 'second_factors.enabled_at'])
      .select((e) =>
        e
          .selectFrom('passkeys')
          .select((p) => p.fn.countAll<number>().as('count'))
          .where('passkeys.user_id', '=', e.ref('people.id'))
          .as('passkeys'),
      )
      .where('people.service_org_id', 'is', null)
      .where('people.is_disabled', '=', 0)
      .where(containsTerms(listing.terms, personNames));
    const chosen =
      orgId === undefined
        ? people
        : people.where('people.id', 'in', (e) =>
            e.selectFrom('organization_members').select('user_id').where('org_id', '=', orgId),
          );
    return selectPage(chosen, { key: personKeys[listing.sort], id: sql.ref('people.id') }, listing);
  });
