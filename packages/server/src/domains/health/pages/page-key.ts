import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../context.ts';
import { keyValue } from '../../../db/rows/key-values.ts';
import { tx } from '../../../db/tx.ts';

const pageKey = keyValue('health.page_key');

/** Reads the key of all processes for signing page tokens; created when first needed, then cached. */
export function createPageKeyReader(deps: Deps): () => Promise<Buffer> {
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
