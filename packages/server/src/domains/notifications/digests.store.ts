import { insertInto, statement } from './notifications.tables.ts';

export const insertDigestItem = insertInto('digest_items', (insert) => insert.onConflict((c) => c.doNothing()));

export const listDueReaders = statement((q, p: { now: number; after: string; limit: number }) =>
  q
    .selectFrom('digest_items')
    .select('user_id')
    .distinct()
    .where('due_at', '<=', p.now)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
);

/** Takes the due items; the caller sends them in the same transaction. */
export const takeDigestItems = statement((q, p: { userId: string; now: number }) =>
  q
    .deleteFrom('digest_items')
    .where('user_id', '=', p.userId)
    .where('due_at', '<=', p.now)
    .returning(['announcement_id', 'app_id']),
);

/** Inserts nothing if the email was sent before. */
export const insertMailed = insertInto('mailed', (insert) =>
  insert.onConflict((c) => c.column('what').doNothing()).returning('what'),
);

export const deleteOldMailed = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('mailed')
    .where('what', 'in', q.selectFrom('mailed').select('what').where('at', '<', p.before).orderBy('at').limit(p.limit)),
);
