import type { Actor } from '../context.ts';

/** For whom, to which question, and under which version of the responses. */
export interface Asked {
  actor: Actor;
  url: string;
  version: number;
}

export interface ResponseCache {
  find(asked: Asked): string | undefined;
  keep(asked: Asked, response: string): void;
}

const MAX_RESPONSE = 256 * 1024;
const MAX_TOTAL = 16 * 1024 * 1024;

/**
 * Keeps responses with the actor who got them, so they end with what is remembered of the actor, and for as long as the
 * version of the responses stands still. `version` is the one that was read before the response was made.
 */
export function createResponseCache(maxTotal = MAX_TOTAL): ResponseCache {
  let responses = new WeakMap<Actor, Map<string, { version: number; response: string }>>();
  let kept = 0;

  return {
    find({ actor, url, version }) {
      const known = responses.get(actor)?.get(url);
      return known?.version === version ? known.response : undefined;
    },
    keep({ actor, url, version }, response) {
      if (response.length > MAX_RESPONSE) return;
      if (kept + response.length > maxTotal) {
        responses = new WeakMap();
        kept = 0;
      }
      kept += response.length;
      const known = responses.get(actor);
      if (known) known.set(url, { version, response });
      else responses.set(actor, new Map([[url, { version, response }]]));
    },
  };
}
