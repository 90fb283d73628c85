import { insertInto, statement } from './tokens.tables.ts';

/** Inserts nothing if the proof was used before. */
export const insertProof = insertInto('used_proofs', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('hash'),
);

export const deleteOldProofs = statement((q, p: { now: number }) =>
  q.deleteFrom('used_proofs').where('expires_at', '<=', p.now),
);
