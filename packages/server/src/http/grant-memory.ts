import type { Actor } from '../context.ts';
import type { Grant } from './scopes.ts';

/** How many grants are remembered for one actor. */
const MAX_GRANTS = 200;

/** No address and no header may have a NUL in it, so no name can reach into its neighbour, nor into another scope. */
const keyOf = (scope: string, params: readonly string[]): string => [scope, ...params].join('\0');

/**
 * Remembers what actors have in which scope. The actor cache makes an actor anew when anybody's rights have changed, and
 * what was remembered is gone with the actor before; whoever has no credential is never made anew, so nothing is remembered.
 */
export function createGrantMemory() {
  const grants = new WeakMap<Actor, Map<string, Grant>>();
  return {
    find: (actor: Actor, scope: string, params: readonly string[]): Grant | undefined =>
      grants.get(actor)?.get(keyOf(scope, params)),
    keep(actor: Actor, scope: string, params: readonly string[], grant: Grant): void {
      if (actor.kind !== 'user' && actor.kind !== 'app') return;
      const known = grants.get(actor) ?? new Map<string, Grant>();
      if (known.size >= MAX_GRANTS) return;
      known.set(keyOf(scope, params), grant);
      grants.set(actor, known);
    },
  };
}
