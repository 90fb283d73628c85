import { type OauthCodesTable, statement } from './identity.tables.ts';

export const insertCode = statement((q, p: Omit<OauthCodesTable, 'used_at'>) =>
  q.insertInto('oauth_codes').values({
    hash: p.hash,
    client_id: p.client_id,
    user_id: p.user_id,
    session_id: p.session_id,
    redirect_uri: p.redirect_uri,
    audience: p.audience,
    challenge: p.challenge,
    expires_at: p.expires_at,
    used_at: null,
  }),
);

/** Nothing comes back when it was used before. */
export const takeCode = statement((q, p: { hash: string; now: number }) =>
  q
    .updateTable('oauth_codes')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .returning(['client_id', 'user_id', 'session_id', 'redirect_uri', 'audience', 'challenge', 'expires_at']),
);

export const findCode = statement((q, p: { hash: string }) =>
  q.selectFrom('oauth_codes').select(['client_id', 'user_id']).where('hash', '=', p.hash),
);

export const deleteOldCodes = statement((q, p: { before: number }) =>
  q.deleteFrom('oauth_codes').where('expires_at', '<', p.before),
);
