import type { Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { addToCount, deleteOldCounts } from './rate-counts.store.ts';

/** Counts in the database, for all processes that share it. Keys are hashed, so that it contains no IP addresses. */
export const takeFromDatabase =
  (deps: Deps) =>
  async (key: string, window: number, amount: number): Promise<number> => {
    const row = await tx(deps, ({ db }) => addToCount.first(db, { key: sha256(key), window, used: amount }));
    return row?.used ?? 0;
  };

const ratesSweep = defineSchedule('rate_counts.sweep', HOUR);

export const rateJobs = [
  handleJob(ratesSweep, (ctx) =>
    tx(ctx, async ({ db, clock }) => {
      await deleteOldCounts.run(db, { before: clock.now() - MINUTE });
    }),
  ),
];
