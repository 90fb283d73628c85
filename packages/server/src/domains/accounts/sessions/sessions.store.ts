import { idsWithTimes } from '../../../db/portable.ts';
import { userColumns } from '../../../db/rows/columns.ts';
import { insertInto, statement } from '../accounts.tables.ts';

export const insertSession = insertInto('sessions');

/** Reads the session and everything that an actor consists of in one query. */
export const findSessionUser = statement((q, p: { hash: string }) =>
  q
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select(['sessions.id as session_id', 'sessions.expires_at', ...userColumns, 'users.is_disabled'])
    .where('sessions.hash', '=', p.hash),
);

export const listUserSessions = statement((q, p: { userId: string; now: number }) =>
  q
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'expires_at', 'address', 'user_agent'])
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .orderBy('created_at', 'desc'),
);

export const deleteSession = statement((q, p: { userId: string; id: string }) =>
  q.deleteFrom('sessions').where('user_id', '=', p.userId).where('id', '=', p.id),
);

export const deleteUserSessions = statement((q, p: { userId: string; exceptId: string }) =>
  q.deleteFrom('sessions').where('user_id', '=', p.userId).where('id', '!=', p.exceptId),
);

export const deleteExpiredSessions = statement((q, p: { now: number }) =>
  q.deleteFrom('sessions').where('expires_at', '<=', p.now),
);

/** `uses` is a JSON array of [ID, time] pairs. */
export const touchSessions = statement((q, p: { uses: string }, dialect) =>
  q
    .updateTable('sessions')
    .from(idsWithTimes(dialect, p.uses).as('used'))
    .set((eb) => ({ last_seen_at: eb.ref('used.at') }))
    .whereRef('sessions.id', '=', 'used.id'),
);
