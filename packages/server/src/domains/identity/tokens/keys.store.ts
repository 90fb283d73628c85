import { insertInto, statement } from '../identity.tables.ts';

/** Lists the signing keys, newest first. */
export const listSigningKeys = statement((q) =>
  q
    .selectFrom('signing_keys')
    .selectAll()
    .where('published_until', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('kid'),
);

export const listPublishedKeys = statement((q, p: { now: number }) =>
  q
    .selectFrom('signing_keys')
    .select(['kid', 'public_jwk'])
    .where((e) => e.or([e('published_until', 'is', null), e('published_until', '>', p.now)]))
    .orderBy('created_at', 'desc')
    .orderBy('kid'),
);

export const findPublishedKey = statement((q, p: { kid: string; now: number }) =>
  q
    .selectFrom('signing_keys')
    .select('public_jwk')
    .where('kid', '=', p.kid)
    .where((e) => e.or([e('published_until', 'is', null), e('published_until', '>', p.now)])),
);

export const insertSigningKey = insertInto('signing_keys');

export const retireSigningKeys = statement((q, p: { until: number }) =>
  q.updateTable('signing_keys').set({ published_until: p.until }).where('published_until', 'is', null),
);

export const deleteSigningKeys = statement((q) => q.deleteFrom('signing_keys'));

export const deleteUnpublishedKeys = statement((q, p: { now: number }) =>
  q.deleteFrom('signing_keys').where('published_until', '<=', p.now),
);
