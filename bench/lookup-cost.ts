import { openDatabase } from '../packages/server/src/db/open.ts';
import { findTokenUser } from '../packages/server/src/domains/tokens/api-tokens.store.ts';
import { sha256 } from '../packages/server/src/kernel/crypto.ts';
import { median } from './harness.ts';

/** Microseconds for one look-up of a random token, hash included: the median of several rounds. */
export async function lookupCost(location: string, tokens: readonly string[], rounds: number): Promise<number> {
  const database = openDatabase({ location });
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const order = tokens.map((token) => ({ token, key: Math.random() })).sort((a, b) => a.key - b.key);
    const start = performance.now();
    for (const { token } of order) {
      const row = await findTokenUser.first(database, { hash: sha256(token) });
      if (!row) throw new Error('a seeded token was not found');
    }
    // The first round only warms up.
    if (round > 0) costs.push(((performance.now() - start) * 1000) / tokens.length);
  }
  await database.close();
  return median(costs);
}
