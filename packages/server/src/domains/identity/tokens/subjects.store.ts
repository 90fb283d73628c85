import { personColumns } from '../../../db/rows/columns.ts';
import { insertInto, statement } from '../identity.tables.ts';

export const findUserBySubject = statement((q, p: { issuer: string; subject: string }) =>
  q
    .selectFrom('oidc_subjects')
    .innerJoin('people', 'people.id', 'oidc_subjects.user_id')
    .select([...personColumns, 'people.is_disabled'])
    .where('oidc_subjects.issuer', '=', p.issuer)
    .where('oidc_subjects.subject', '=', p.subject),
);

/** Excludes service accounts, which have no subject at an identity provider. */
export const findPersonByEmail = statement((q, p: { key: string }) =>
  q
    .selectFrom('people')
    .select([...personColumns, 'people.is_disabled', 'people.is_email_verified'])
    .where('people.email_key', '=', p.key)
    .where('people.service_org_id', 'is', null),
);

/** Inserts nothing if the subject or the user is already linked. */
export const insertSubject = insertInto('oidc_subjects', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('user_id'),
);

export const deleteSubjects = statement((q, p: { userId: string }) =>
  q.deleteFrom('oidc_subjects').where('user_id', '=', p.userId),
);
