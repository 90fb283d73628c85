import { openDatabase } from '../packages/server/src/db/open.ts';
import { mintToken } from '../packages/server/src/domains/tokens/token-value.ts';
import { newId } from '../packages/server/src/kernel/ids.ts';

const BATCH = 400;
const USERS = 50;

/** A migrated database with some users and many tokens; returns the values of the first `keep` tokens. */
export async function seed(location: string, tokens: number, keep: number): Promise<string[]> {
  const database = openDatabase({ location });
  await database.migrate();
  const users = Array.from({ length: USERS }, (_, n) => ({ id: newId(), name: `user-${n}` }));
  await database.transaction(async (db) => {
    await db.query((q) =>
      q.insertInto('owners').values(
        users.map(({ id, name }) => ({
          id,
          kind: 'user' as const,
          name,
          name_key: name,
          display_name: `Somebody with a name of quite usual length, number ${name}`,
          updated_at: 1,
          avatar_url: `https://avatars.example.com/${'x'.repeat(200)}.png`,
          created_at: 1,
        })),
      ),
    );
    await db.query((q) =>
      q.insertInto('users').values(
        users.map(({ id, name }) => ({
          id,
          email: `${name}@example.com`,
          email_key: `${name}@example.com`,
          password_hash: '',
          is_admin: 0 as const,
          is_disabled: 0 as const,
          service_org_id: null,
        })),
      ),
    );
  });
  const kept: string[] = [];
  const minted = Array.from({ length: tokens }, () => {
    const { value, hash, lastFour } = mintToken('user');
    if (kept.length < keep) kept.push(value);
    return hash + lastFour;
  });
  // In the order of the index, which is many times faster to fill.
  minted.sort();
  for (let made = 0; made < tokens; ) {
    await database.transaction(async (db) => {
      for (const end = Math.min(tokens, made + 50 * BATCH); made < end; made += BATCH) {
        const rows = minted.slice(made, Math.min(end, made + BATCH)).map((token, n) => ({
          hash: token.slice(0, -4),
          id: newId(),
          app_id: null,
          created_by: users[(made + n) % USERS]?.id ?? '',
          description: `token ${made + n}`,
          scope: 'all' as const,
          last_four: token.slice(-4),
          created_at: 1,
          expires_at: null,
          last_used_at: null,
        }));
        await db.query((q) => q.insertInto('api_tokens').values(rows));
      }
    });
  }
  await database.close();
  return kept;
}
