import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../context.ts';
import { keyValue } from '../../../db/key-values.ts';
import { tx } from '../../../db/tx.ts';

const pageKey = keyValue('health.page_key');

/** The key that every process signs page tokens with: made by the first that needs it, then remembered. */
export function pageKeyOf(deps: Deps): () => Promise<Buffer> {
  let known: Promise<Buffer> | undefined;
  const read = async () => {
    const fresh = () => tx(deps, ({ db }) => pageKey.addOrFind(db, randomBytes(32).toString('base64url')));
    return Buffer.from((await pageKey.find(deps.db)) ?? (await fresh()), 'base64url');
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
