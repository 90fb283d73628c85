import type { Actor } from '../context.ts';

export interface AnswerMemory {
  find(actor: Actor, address: string): string | undefined;
  keep(actor: Actor, address: string, answer: string): void;
}

const MAX_ANSWER = 256 * 1024;
const MAX_TOTAL = 16 * 1024 * 1024;

/**
 * Keeps answers with the actor who got them. The actor cache forgets an actor when the authority epoch moves, so an
 * answer is never older than the last change that called `changeAuthority`.
 */
export function createAnswerMemory(maxTotal = MAX_TOTAL): AnswerMemory {
  let answers = new WeakMap<Actor, Map<string, string>>();
  let kept = 0;

  return {
    find: (actor, address) => answers.get(actor)?.get(address),
    keep(actor, address, answer) {
      if (answer.length > MAX_ANSWER) return;
      if (kept + answer.length > maxTotal) {
        answers = new WeakMap();
        kept = 0;
      }
      kept += answer.length;
      const known = answers.get(actor);
      if (known) known.set(address, answer);
      else answers.set(actor, new Map([[address, answer]]));
    },
  };
}
