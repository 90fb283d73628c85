import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { personColumns, personKeys, personNames } from '../../../db/rows/columns.ts';
import { containsTerms, selectPage } from '../../../db/rows/listing.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { insertInto, query, statement } from '../sign-in.tables.ts';

export const findRule = statement((q, p: { id: string }) =>
  q.selectFrom('sign_in_rules').select('provider').where('id', '=', p.id),
);

/** Rules of the server and of the organizations of a user; that of the server first. */
export const listUserRules = statement((q, p: { userId: string }) =>
  q
    .selectFrom('sign_in_rules')
    .leftJoin('organization_members', (join) =>
      join
        .onRef('organization_members.org_id', '=', 'sign_in_rules.org_id')
        .on('organization_members.user_id', '=', p.userId),
    )
    .select('sign_in_rules.provider')
    .where((e) => e.or([e('sign_in_rules.org_id', 'is', null), e('organization_members.user_id', 'is not', null)]))
    .orderBy(sql`case when sign_in_rules.org_id is null then 0 else 1 end`)
    .orderBy('sign_in_rules.id'),
);

export const findProviderRule = statement((q, p: { provider: string }) =>
  q.selectFrom('sign_in_rules').select('id').where('provider', '=', p.provider).limit(1),
);

export const saveRule = insertInto('sign_in_rules', (insert) =>
  insert.onConflict((c) => c.column('id').doUpdateSet((e) => ({ provider: e.ref('excluded.provider') }))),
);

export const deleteRuleRow = statement((q, p: { id: string }) => q.deleteFrom('sign_in_rules').where('id', '=', p.id));

/** Enabled people of the server or of an organization, and whether they are linked to the provider. */
export const pagePeople = (
  db: Db,
  { orgId, issuer }: { orgId: string | undefined; issuer: string },
  listing: Listing<keyof typeof personKeys>,
) =>
  query(db, (q) => {
    const people = q
      .selectFrom('people')
      .leftJoin('sign_in_links', (join) =>
        join.onRef('sign_in_links.user_id', '=', 'people.id').on('sign_in_links.issuer', '=', issuer),
      )
      .select([...personColumns, 'people.is_email_verified', 'sign_in_links.linked_at'])
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
