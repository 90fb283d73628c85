import { insertInto, statement } from '../identity.tables.ts';

export const insertCode = insertInto('oauth_codes');

/** Returns nothing if the code was used before. */
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

export const noteReuse = statement((q, p: { hash: string; now: number }) =>
  q.updateTable('oauth_codes').set({ reused_at: p.now }).where('hash', '=', p.hash).where('reused_at', 'is', null),
);

export const findReuse = statement((q, p: { hash: string }) =>
  q.selectFrom('oauth_codes').select('reused_at').where('hash', '=', p.hash).where('reused_at', 'is not', null),
);

export const deleteOldCodes = statement((q, p: { before: number }) =>
  q.deleteFrom('oauth_codes').where('expires_at', '<', p.before),
);
