import { personColumns } from '../../../db/rows/columns.ts';
import { insertInto, statement } from '../identity.tables.ts';

export const saveConsent = insertInto('oauth_consents', (insert, p) =>
  insert.onConflict((c) =>
    c.columns(['user_id', 'client_id']).doUpdateSet({ place: p.place, granted_at: p.granted_at }),
  ),
);

export const listUserConsents = statement((q, p: { userId: string }) =>
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

export const deleteClientConsents = statement((q, p: { clientId: string }) =>
  q.deleteFrom('oauth_consents').where('client_id', '=', p.clientId),
);

/** Reads everything that an access token depends on: a session, its user, and the user's consent to the client, if any. */
export const findStanding = statement((q, p: { sessionId: string; userId: string; clientId: string }) =>
  q
    .selectFrom('user_sessions')
    .innerJoin('people', 'people.id', 'user_sessions.user_id')
    .leftJoin('oauth_consents', (join) =>
      join.onRef('oauth_consents.user_id', '=', 'people.id').on('oauth_consents.client_id', '=', p.clientId),
    )
    .select([
      ...personColumns,
      'people.is_disabled',
      'user_sessions.created_at as signed_in_at',
      'user_sessions.expires_at',
      'oauth_consents.place as loopback_origin',
      'oauth_consents.granted_at',
    ])
    .where('user_sessions.id', '=', p.sessionId)
    .where('people.id', '=', p.userId),
);
