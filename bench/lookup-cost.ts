import { type Db, openDatabase } from '../packages/server/src/db/open.ts';
import { findUserByEmail } from '../packages/server/src/domains/accounts/users/users.store.ts';
import { findTokenUser } from '../packages/server/src/domains/tokens/api-tokens.store.ts';
import { sha256 } from '../packages/server/src/kernel/crypto/crypto.ts';
import { median } from './harness.ts';

type LookUp = (db: Db, key: string) => Promise<object | undefined>;

export const tokenByValue: LookUp = (db, token) => findTokenUser.first(db, { hash: sha256(token) });
export const userByEmail: LookUp = (db, email) => findUserByEmail.first(db, { key: email });

/** Microseconds for one lookup of a random key: the median of several rounds. */
export async function lookupCost(
  location: string,
  { find, keys, rounds }: { find: LookUp; keys: readonly string[]; rounds: number },
): Promise<number> {
  const database = openDatabase({ location });
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const order = keys.map((key) => ({ key, rank: Math.random() })).sort((a, b) => a.rank - b.rank);
    const start = performance.now();
    for (const { key } of order) {
      if (!(await find(database, key))) throw new Error('A seeded row was not found.');
    }
    // The first round only warms up.
    if (round > 0) costs.push(((performance.now() - start) * 1000) / keys.length);
  }
  await database.close();
  return median(costs);
}
