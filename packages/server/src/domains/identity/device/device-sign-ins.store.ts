import { lockRows } from '../../../db/portable.ts';
import { personColumns } from '../../../db/rows/columns.ts';
import { insertInto, statement } from '../identity.tables.ts';

export const insertDeviceSignIn = insertInto('device_sign_ins');

export const countDeviceSignIns = statement((q, p: { address: string; now: number }) =>
  q
    .selectFrom('device_sign_ins')
    .select((e) => [
      e.fn.countAll<number>().as('count'),
      e.fn.countAll<number>().filterWhere('address', '=', p.address).as('same_address'),
    ])
    .where('expires_at', '>', p.now),
);

export const findByUserCode = statement((q, p: { userCodeHash: string; now: number }) =>
  q
    .selectFrom('device_sign_ins')
    .select(['device_hash', 'client_id', 'device_name', 'address', 'created_at', 'expires_at'])
    .where('user_code_hash', '=', p.userCodeHash)
    .where('state', '=', 'pending')
    .where('expires_at', '>', p.now),
);

/** Changes nothing if a person has decided before. */
export const decideDeviceSignIn = statement(
  (q, p: { userCodeHash: string; now: number; state: 'allowed' | 'denied'; userId: string; sessionId: string }) =>
    q
      .updateTable('device_sign_ins')
      .set({ state: p.state, user_id: p.userId, session_id: p.sessionId })
      .where('user_code_hash', '=', p.userCodeHash)
      .where('state', '=', 'pending')
      .where('expires_at', '>', p.now)
      .returning(['client_id', 'device_name', 'address']),
);

export const lockDeviceSignIn = statement((q, p: { deviceHash: string }, dialect) =>
  lockRows(dialect, q.selectFrom('device_sign_ins').selectAll().where('device_hash', '=', p.deviceHash)),
);

export const notePoll = statement((q, p: { deviceHash: string; now: number; interval: number }) =>
  q
    .updateTable('device_sign_ins')
    .set({ polled_at: p.now, interval: p.interval })
    .where('device_hash', '=', p.deviceHash),
);

export const deleteDeviceSignIn = statement((q, p: { deviceHash: string }) =>
  q.deleteFrom('device_sign_ins').where('device_hash', '=', p.deviceHash),
);

export const deleteOldDeviceSignIns = statement((q, p: { before: number }) =>
  q.deleteFrom('device_sign_ins').where('expires_at', '<', p.before),
);

/** The person who allowed a sign-in, while the session that did so exists. */
export const findConfirmer = statement((q, p: { userId: string; sessionId: string; now: number }) =>
  q
    .selectFrom('user_sessions')
    .innerJoin('people', 'people.id', 'user_sessions.user_id')
    .select(personColumns)
    .where('user_sessions.id', '=', p.sessionId)
    .where('user_sessions.expires_at', '>', p.now)
    .where('people.id', '=', p.userId)
    .where('people.is_disabled', '=', 0),
);
