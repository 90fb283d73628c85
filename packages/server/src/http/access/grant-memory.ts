import type { Actor } from '../../context.ts';
import type { Grant } from './scopes.ts';

/** Maximum number of cached grants per actor. */
const MAX_GRANTS = 200;

/** URLs and headers can't contain NUL, so keys of different scopes and parameters can't collide. */
const toKey = (scope: string, params: readonly string[]): string => [scope, ...params].join('\0');

/**
 * Caches the grants of actors. When anyone's rights change, the actor cache creates new actors, so their grants are
 * looked up again. Anonymous actors are never recreated, so their grants are not cached.
 */
export function createGrantMemory() {
  const grants = new WeakMap<Actor, Map<string, Grant>>();
  return {
    find: (actor: Actor, scope: string, params: readonly string[]): Grant | undefined =>
      grants.get(actor)?.get(toKey(scope, params)),
    set(actor: Actor, scope: string, params: readonly string[], grant: Grant): void {
      if (actor.kind === 'anonymous' || actor.kind === 'system') return;
      const known = grants.get(actor) ?? new Map<string, Grant>();
      if (known.size >= MAX_GRANTS) return;
      known.set(toKey(scope, params), grant);
      grants.set(actor, known);
    },
  };
}
