import { personColumns } from '../../db/rows/columns.ts';
import { insertInto, statement } from './sign-in.tables.ts';

/** `is_mapped`: group mappings of the provider may have to be applied to the user. */
export const findLinkedUser = statement((q, p: { issuer: string; subject: string; provider: string }) =>
  q
    .selectFrom('sign_in_links')
    .innerJoin('people', 'people.id', 'sign_in_links.user_id')
    .select([...personColumns, 'people.is_disabled'])
    .select((e) =>
      e
        .case()
        .when(
          e.or([
            e.exists(q.selectFrom('group_mappings').select('id').where('provider', '=', p.provider)),
            e.exists(
              q
                .selectFrom('mapped_memberships')
                .select('target_id')
                .where('provider', '=', p.provider)
                .where('mapped_memberships.user_id', '=', e.ref('people.id')),
            ),
          ]),
        )
        .then(1)
        .else(0)
        .end()
        .as('is_mapped'),
    )
    .where('sign_in_links.issuer', '=', p.issuer)
    .where('sign_in_links.subject', '=', p.subject),
);

/** Inserts nothing if the user of the provider, or the account, is already linked. */
export const insertLink = insertInto('sign_in_links', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('user_id'),
);

export const listLinks = statement((q, p: { userId: string }) =>
  q
    .selectFrom('sign_in_links')
    .select(['issuer', 'subject', 'linked_at'])
    .where('user_id', '=', p.userId)
    .orderBy('issuer'),
);

export const deleteLinks = statement((q, p: { userId: string }) =>
  q.deleteFrom('sign_in_links').where('user_id', '=', p.userId),
);
