import type { Actor } from '../context.ts';
import { sha256 } from '../kernel/crypto.ts';

/** An actor and when the credential that made it stops to hold. */
export interface Known<A extends Actor = Actor> {
  actor: A;
  expiresAt: number;
}

const MAX_ENTRIES = 10_000;

/**
 * Remembers which actor a credential stands for, as long as the version of the grants stands still. Whoever asks says the
 * version that they read first: after a revocation is answered, the next request on any process reads a new one.
 */
export function createActorCache() {
  let entries = new Map<string, Known>();
  let version = Number.NaN;

  async function loadAndKeep(key: string, current: number, load: () => Promise<Known | undefined>) {
    const known = await load();
    // Only what was read under this version may be kept under it.
    if (known && version === current) {
      if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value ?? '');
      entries.set(key, known);
    }
    return known;
  }

  return (
    current: number,
    { kind, secret }: { kind: string; secret: string },
    load: () => Promise<Known | undefined>,
  ): Known | Promise<Known | undefined> => {
    if (current !== version) {
      // What was cleared would keep all that comes after it from being collected with the young.
      entries = new Map();
      version = current;
    }
    // Of fixed length after the kind, so whatever the caller sends stays within it: none can be spelled as another kind.
    const key = `${kind} ${sha256(secret)}`;
    return entries.get(key) ?? loadAndKeep(key, current, load);
  };
}
