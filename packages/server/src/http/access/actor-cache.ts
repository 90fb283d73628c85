import type { Actor } from '../../context.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';

/** An actor, and the time when its credential expires. */
export interface CachedActor<A extends Actor = Actor> {
  actor: A;
  expiresAt: number;
}

const MAX_ENTRIES = 10_000;

/**
 * Caches the actor of each credential while the version of the grants is unchanged. Callers pass the version that they
 * read before: once a revocation has been answered, the next request on any process reads a new version.
 */
export function createActorCache() {
  let entries = new Map<string, CachedActor>();
  let version = Number.NaN;

  async function loadAndCache(key: string, current: number, load: () => Promise<CachedActor | undefined>) {
    const loaded = await load();
    // Only cache an actor that was loaded under the current version.
    if (loaded && version === current) {
      if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value ?? '');
      entries.set(key, loaded);
    }
    return loaded;
  }

  return (
    current: number,
    { kind, secret }: { kind: string; secret: string },
    load: () => Promise<CachedActor | undefined>,
  ): CachedActor | Promise<CachedActor | undefined> => {
    if (current !== version) {
      // A cleared map would be an old object and keep its new entries from being collected early, so create a new one.
      entries = new Map();
      version = current;
    }
    // The kind is followed by a hash of fixed length, so no secret can be mistaken for one of another kind.
    const key = `${kind} ${sha256(secret)}`;
    return entries.get(key) ?? loadAndCache(key, current, load);
  };
}
