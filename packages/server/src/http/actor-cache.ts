import type { Actor } from '../context.ts';
import { sha256 } from '../kernel/crypto.ts';

/** An actor and when the credential that made it stops to hold. */
export interface Known<A extends Actor = Actor> {
  actor: A;
  expiresAt: number;
}

/** Each kind of credential has its own room in the cache, so that none can be spelled as another. */
export type CredentialKind = 'token' | 'session' | 'bearer';

const MAX_ENTRIES = 10_000;

/**
 * Remembers which actor a credential stands for, as long as nobody's authority has changed.
 * Each use reads the epoch first: after a revocation is answered, the next request on any process sees a new one.
 */
export function createActorCache(epochNow: () => Promise<number>) {
  const entries = new Map<string, Known>();
  let epoch = Number.NaN;

  async function loadAndKeep(key: string, current: number, load: () => Promise<Known | undefined>) {
    const known = await load();
    // Only what was read under this epoch may be kept under it.
    if (known && epoch === current) {
      if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value ?? '');
      entries.set(key, known);
    }
    return known;
  }

  return (kind: CredentialKind, secret: string, load: () => Promise<Known | undefined>): Promise<Known | undefined> =>
    epochNow().then((current) => {
      if (current !== epoch) {
        entries.clear();
        epoch = current;
      }
      // Of fixed length after the kind, so whatever the caller sends stays within it.
      const key = `${kind} ${sha256(secret)}`;
      return entries.get(key) ?? loadAndKeep(key, current, load);
    });
}
