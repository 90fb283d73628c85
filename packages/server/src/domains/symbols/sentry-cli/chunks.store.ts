import { isAmong } from '../../../db/portable.ts';
import { insertInto, statement } from '../symbols.tables.ts';

/** Replaces an expired chunk, whose blob may be missing. */
export const insertChunk = insertInto('symbol_chunks', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['owner_id', 'holder_id', 'sha1'])
      .doUpdateSet((eb) => ({ expires_at: eb.ref('excluded.expires_at'), size: eb.ref('excluded.size') })),
  ),
);

export const completeChunk = statement((q, p: { ownerId: string; holderId: string; sha1: string; size: number }) =>
  q
    .updateTable('symbol_chunks')
    .set({ size: p.size })
    .where('owner_id', '=', p.ownerId)
    .where('holder_id', '=', p.holderId)
    .where('sha1', '=', p.sha1),
);

/** Completely received chunks. `sha1s` is a JSON array. */
export const listChunks = statement(
  (q, p: { ownerId: string; holderId: string; sha1s: string; now: number }, dialect) =>
    q
      .selectFrom('symbol_chunks')
      .select(['sha1', 'size'])
      .where('owner_id', '=', p.ownerId)
      .where('holder_id', '=', p.holderId)
      .where(isAmong(dialect, 'sha1', p.sha1s))
      .where('size', 'is not', null)
      .where('expires_at', '>', p.now),
);

/** Lets chunks expire earlier than planned. */
export const expireChunks = statement(
  (q, p: { ownerId: string; holderId: string; sha1s: string; expiresAt: number }, dialect) =>
    q
      .updateTable('symbol_chunks')
      .set({ expires_at: p.expiresAt })
      .where('owner_id', '=', p.ownerId)
      .where('holder_id', '=', p.holderId)
      .where(isAmong(dialect, 'sha1', p.sha1s))
      .where('expires_at', '>', p.expiresAt),
);

export const sumChunkSizes = statement((q, p: { ownerId: string }) =>
  q
    .selectFrom('symbol_chunks')
    .select((eb) => eb.fn.sum<number | null>('size').as('sum'))
    .where('owner_id', '=', p.ownerId),
);

export const listExpiredChunks = statement((q, p: { now: number; limit: number }) =>
  q.selectFrom('symbol_chunks').selectAll().where('expires_at', '<=', p.now).orderBy('expires_at').limit(p.limit),
);

export const deleteChunk = statement((q, p: { ownerId: string; holderId: string; sha1: string; now: number }) =>
  q
    .deleteFrom('symbol_chunks')
    .where('owner_id', '=', p.ownerId)
    .where('holder_id', '=', p.holderId)
    .where('sha1', '=', p.sha1)
    .where('expires_at', '<=', p.now),
);
