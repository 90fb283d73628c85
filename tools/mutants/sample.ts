import { createHash } from 'node:crypto';
import type { Mutant } from './instrument.ts';

/**
 * So many of them, a few of each operator. Which ones depends on the seed and on the code itself, not on its place, so that a
 * change elsewhere in a file leaves the sample as it is.
 */
export function sample(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  const rank = ({ file, operator, before, after }: Mutant): string =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, operator, before, after]))
      .digest('hex');
  const queues = new Map<string, Mutant[]>();
  for (const mutant of mutants) queues.set(mutant.operator, [...(queues.get(mutant.operator) ?? []), mutant]);
  for (const queue of queues.values()) queue.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const chosen: Mutant[] = [];
  const wanted = Math.min(count, mutants.length);
  for (let round = 0; chosen.length < wanted; round++) {
    for (const queue of queues.values()) {
      const next = queue[round];
      if (next && chosen.length < wanted) chosen.push(next);
    }
  }
  return chosen;
}
