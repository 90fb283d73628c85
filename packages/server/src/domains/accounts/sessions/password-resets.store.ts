import { userColumns } from '../../../db/rows/columns.ts';
import { insertInto, statement } from '../accounts.tables.ts';

/** Returns nothing if the row exists: the job that inserts it may run twice. */
export const insertPasswordReset = insertInto('password_resets', (insert) =>
  insert.onConflict((c) => c.column('id').doNothing()).returning('id'),
);

export const findPasswordReset = statement((q, p: { hash: string; now: number }) =>
  q
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select(['password_resets.id as reset_id', ...userColumns])
    .where('password_resets.token_hash', '=', p.hash)
    .where('password_resets.expires_at', '>', p.now)
    .where('users.is_disabled', '=', 0),
);

/** Of several concurrent uses of a link, exactly one gets a row. */
export const usePasswordReset = statement((q, p: { hash: string; now: number }) =>
  q
    .deleteFrom('password_resets')
    .where('token_hash', '=', p.hash)
    .where('expires_at', '>', p.now)
    .returning(['user_id', 'is_mailed']),
);

export const deleteUserPasswordResets = statement((q, p: { userId: string }) =>
  q.deleteFrom('password_resets').where('user_id', '=', p.userId),
);

export const deleteExpiredPasswordResets = statement((q, p: { now: number }) =>
  q.deleteFrom('password_resets').where('expires_at', '<=', p.now),
);

export const findServiceOrg = statement((q, p: { id: string }) =>
  q.selectFrom('users').select(['service_org_id', 'is_disabled']).where('id', '=', p.id),
);
