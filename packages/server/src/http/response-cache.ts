import type { Actor } from '../context.ts';
import type { Versions } from '../db/versions.ts';

/** For whom, and to which question. */
export interface Asked {
  actor: Actor;
  url: string;
  /** The origin of URLs in the response, if it is not the public address. */
  base?: string | undefined;
  /** Those that were read before the response was made; without them nothing is kept. */
  versions: Versions | undefined;
}

export interface ResponseCache {
  find(asked: Asked): string | undefined;
  keep(asked: Asked, response: string): void;
}

const MAX_RESPONSE = 256 * 1024;
const MAX_TOTAL = 16 * 1024 * 1024;

/**
 * Keeps responses with the actor who got them, as long as the versions stand still. Once one moves, all of them are let go
 * together: the collector takes a map that nobody has at once, but its entries one by one only when it looks at everything.
 */
export function createResponseCache(maxTotal = MAX_TOTAL): ResponseCache {
  let responses = new Map<string | undefined, WeakMap<Actor, Map<string, string>>>();
  let current: Versions | undefined;
  let kept = 0;

  const isCurrent = ({ grants, responses }: Versions): boolean =>
    current?.grants === grants && current.responses === responses;
  function startAnew(): void {
    responses = new Map();
    kept = 0;
  }

  return {
    find({ actor, url, base, versions }) {
      if (!versions) return undefined;
      if (!isCurrent(versions)) {
        startAnew();
        current = versions;
      }
      return responses.get(base)?.get(actor)?.get(url);
    },
    keep({ actor, url, base, versions }, response) {
      if (!versions || !isCurrent(versions) || response.length > MAX_RESPONSE) return;
      const size = url.length + response.length;
      if (kept + size > maxTotal) startAnew();
      kept += size;
      const atBase = responses.get(base) ?? new WeakMap<Actor, Map<string, string>>();
      responses.set(base, atBase);
      const known = atBase.get(actor);
      if (known) known.set(url, response);
      else atBase.set(actor, new Map([[url, response]]));
    },
  };
}
