import { createHash } from 'node:crypto';
import type { Mutant } from './instrument.ts';

/**
 * A sample with some mutants of each operator. Depends on the seed and on the code itself, not on its position, so that
 * changes elsewhere in a file do not change it.
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
  const size = Math.min(count, mutants.length);
  for (let round = 0; chosen.length < size; round++) {
    for (const queue of queues.values()) {
      const next = queue[round];
      if (next && chosen.length < size) chosen.push(next);
    }
  }
  return chosen;
}
