import { personColumns } from '../../../db/columns.ts';
import { insertInto, statement } from '../identity.tables.ts';

export const findUserBySubject = statement((q, p: { issuer: string; subject: string }) =>
  q
    .selectFrom('oidc_subjects')
    .innerJoin('users', 'users.id', 'oidc_subjects.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([...personColumns, 'users.is_disabled'])
    .where('oidc_subjects.issuer', '=', p.issuer)
    .where('oidc_subjects.subject', '=', p.subject),
);

/** Service accounts are no persons, so nobody is one of them. */
export const findPersonByEmail = statement((q, p: { key: string }) =>
  q
    .selectFrom('users')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([...personColumns, 'users.is_disabled', 'users.is_email_verified'])
    .where('users.email_key', '=', p.key)
    .where('users.service_org_id', 'is', null),
);

/** Nothing comes back when the subject, or the user, is linked already. */
export const insertSubject = insertInto('oidc_subjects', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('user_id'),
);

export const deleteSubjects = statement((q, p: { userId: string }) =>
  q.deleteFrom('oidc_subjects').where('user_id', '=', p.userId),
);
