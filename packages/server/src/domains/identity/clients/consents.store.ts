import { personColumns } from '../../../db/columns.ts';
import { insertInto, statement } from '../identity.tables.ts';

export const saveConsent = insertInto('oauth_consents', (insert, p) =>
  insert.onConflict((c) =>
    c.columns(['user_id', 'client_id']).doUpdateSet({ place: p.place, granted_at: p.granted_at }),
  ),
);

export const listConsentsOfUser = statement((q, p: { userId: string }) =>
  q
    .selectFrom('oauth_consents')
    .select(['client_id', 'granted_at'])
    .where('user_id', '=', p.userId)
    .orderBy('granted_at', 'desc')
    .orderBy('client_id'),
);

export const deleteConsent = statement((q, p: { userId: string; clientId: string }) =>
  q.deleteFrom('oauth_consents').where('user_id', '=', p.userId).where('client_id', '=', p.clientId),
);

export const deleteConsentsOfClient = statement((q, p: { clientId: string }) =>
  q.deleteFrom('oauth_consents').where('client_id', '=', p.clientId),
);

/** What an access token rests on: a session, its user, and what that user allowed the client, if anything. */
export const findStanding = statement((q, p: { sessionId: string; userId: string; clientId: string }) =>
  q
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .leftJoin('oauth_consents', (join) =>
      join.onRef('oauth_consents.user_id', '=', 'users.id').on('oauth_consents.client_id', '=', p.clientId),
    )
    .select([
      ...personColumns,
      'users.is_disabled',
      'sessions.created_at as signed_in_at',
      'sessions.expires_at',
      'oauth_consents.place as loopback_origin',
      'oauth_consents.granted_at',
    ])
    .where('sessions.id', '=', p.sessionId)
    .where('users.id', '=', p.userId),
);
