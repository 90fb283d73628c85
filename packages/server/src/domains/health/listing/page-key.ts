import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { addServerFact, findServerFact } from './page-key.store.ts';

const NAME = 'health_page_key';

/** The key that every process signs page tokens with: made by the first that needs it, then remembered. */
export function pageKeyOf(deps: Deps): () => Promise<Buffer> {
  let known: Promise<Buffer> | undefined;
  const read = async () => {
    const found =
      (await findServerFact.first(deps.db, { name: NAME })) ??
      (await tx(deps, async ({ db }) => {
        await addServerFact.run(db, { name: NAME, value: randomBytes(32).toString('base64url') });
        return findServerFact.first(db, { name: NAME });
      }));
    return Buffer.from(found?.value ?? '', 'base64url');
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
