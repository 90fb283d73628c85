import type { Actor } from '../../context.ts';
import type { Versions } from '../../db/versions.ts';

/** The caller and the request of a response. */
export interface CacheRequest {
  actor: Actor;
  url: string;
  /** Origin of URLs in the response, unless it is the public address. */
  base?: string | undefined;
  /** Versions before the response was created; without them it is not cached. */
  versions: Versions | undefined;
}

export interface ResponseCache {
  find(request: CacheRequest): string | undefined;
  set(request: CacheRequest, response: string): void;
}

const MAX_RESPONSE = 256 * 1024;
const MAX_TOTAL = 16 * 1024 * 1024;

/**
 * Caches responses by actor while the versions are unchanged. When one changes, all entries are dropped together with
 * their map, which the garbage collector frees early; it would free single entries only in a full collection.
 */
export function createResponseCache(maxTotal = MAX_TOTAL): ResponseCache {
  let responses = new Map<string | undefined, WeakMap<Actor, Map<string, string>>>();
  let current: Versions | undefined;
  let cachedBytes = 0;

  const isCurrent = ({ grants, responses }: Versions): boolean =>
    current?.grants === grants && current.responses === responses;
  function reset(): void {
    responses = new Map();
    cachedBytes = 0;
  }

  return {
    find({ actor, url, base, versions }) {
      if (!versions) return undefined;
      if (!isCurrent(versions)) {
        reset();
        current = versions;
      }
      return responses.get(base)?.get(actor)?.get(url);
    },
    set({ actor, url, base, versions }, response) {
      if (!versions || !isCurrent(versions) || response.length > MAX_RESPONSE) return;
      const size = url.length + response.length;
      if (cachedBytes + size > maxTotal) reset();
      cachedBytes += size;
      const atBase = responses.get(base) ?? new WeakMap<Actor, Map<string, string>>();
      responses.set(base, atBase);
      const cached = atBase.get(actor);
      if (cached) cached.set(url, response);
      else atBase.set(actor, new Map([[url, response]]));
    },
  };
}
