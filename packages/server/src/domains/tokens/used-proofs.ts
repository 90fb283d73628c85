import type { Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { deleteOldProofs, insertProof } from './used-proofs.store.ts';

/** Returns false if the proof was used before, also on another process. `memory`: how long it could be accepted again. */
export const useOnce = (ctx: Ctx, proof: string, memory: number): Promise<boolean> =>
  tx(ctx, async ({ db, clock }) => {
    const row = { hash: sha256(proof), expires_at: clock.now() + memory };
    return (await insertProof.first(db, row)) !== undefined;
  });

export const proofsSweep = defineSchedule('used_proofs.sweep', HOUR);

export const sweepProofs = (deps: Deps): Promise<void> =>
  tx(deps, async ({ db, clock }) => {
    await deleteOldProofs.run(db, { now: clock.now() });
  });
