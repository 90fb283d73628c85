import { sql } from 'kysely';
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

export const findConfirmation = statement((q, p: { id: string }) =>
  q.selectFrom('sessions').select(['created_at', 'confirmed_at']).where('id', '=', p.id),
);

export const confirmSession = statement((q, p: { id: string; now: number }) =>
  q.updateTable('sessions').set({ confirmed_at: p.now }).where('id', '=', p.id),
);

export const findOpener = statement((q, p: { id: string }) =>
  q.selectFrom('sessions').select(['provider', 'sealed_id_token']).where('id', '=', p.id),
);

export const deleteSessionsBySubject = statement((q, p: { provider: string; subject: string }) =>
  q.deleteFrom('sessions').where('provider_subject', '=', p.subject).where('provider', '=', p.provider),
);

/** `subject` null: of any user, because a provider may send only the ID of its session. */
export const deleteSessionsBySid = statement((q, p: { provider: string; sid: string; subject: string | null }) =>
  q
    .deleteFrom('sessions')
    .where('provider_sid', '=', p.sid)
    .where('provider', '=', p.provider)
    .where('provider_subject', '=', sql<string>`coalesce(${p.subject}, provider_subject)`),
);

export const deleteExpiredSessions = statement((q, p: { now: number }) =>
  q.deleteFrom('sessions').where('expires_at', '<=', p.now),
);

/** `uses` is a JSON array of an ID, a time and an address each. */
export const touchSessions = statement((q, p: { uses: string }, dialect) =>
  q
    .updateTable('sessions')
    .from(idsWithTimes(dialect, p.uses).as('used'))
    .set((eb) => ({ last_seen_at: eb.ref('used.at') }))
    .whereRef('sessions.id', '=', 'used.id'),
);
