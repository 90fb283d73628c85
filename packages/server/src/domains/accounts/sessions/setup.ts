import type { Ctx } from '../../../context.ts';
import { keyValue } from '../../../db/key-values.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { findAnyAdmin } from '../users/users.store.ts';
import { addUser, type NewUser, withPasswordHash } from '../users/users.ts';
import { type OpenedSession, openSession } from './sessions.ts';

const setupTokenHash = keyValue('accounts.setup_token_hash');

/** Whoever starts the server vouches for the first administrator. */
const first = { isAdmin: true, isEmailVerified: true };

export const isSetupRequired = async (ctx: Pick<Ctx, 'db'>): Promise<boolean> =>
  (await findAnyAdmin.first(ctx.db)) === undefined;

/**
 * At start: makes the first administrator from the settings if they name one; otherwise, as long as there is none,
 * makes a new set-up token, of which only the hash is kept, and returns it to be printed.
 */
export async function prepareFirstAdmin(ctx: Ctx): Promise<string | undefined> {
  if (!(await isSetupRequired(ctx))) return undefined;
  const { adminEmail, adminPassword } = ctx.config;
  if (adminEmail && adminPassword) {
    const ready = await withPasswordHash(ctx, { email: adminEmail, password: adminPassword, ...first });
    await tx(ctx, async (ctx) => {
      // Several processes may start on one empty database; the first one through makes the administrator.
      await lock(ctx, 'administrators');
      if (await isSetupRequired(ctx)) await addUser(ctx, ready);
    });
    return undefined;
  }
  const token = randomBase62(32);
  await tx(ctx, (ctx) => setupTokenHash.save(ctx.db, sha256(token)));
  return token;
}

const refuse = () =>
  forbidden('This set-up link was used already or is not the newest; restart the server for a new one.');

/** Uses the set-up link: creates the first administrator and signs them in. */
export async function completeSetup(
  ctx: Ctx,
  { setupToken, ...person }: Omit<NewUser, 'isAdmin'> & { setupToken: string },
): Promise<OpenedSession> {
  const hash = sha256(setupToken);
  if ((await setupTokenHash.find(ctx.db)) !== hash) throw refuse();
  const ready = await withPasswordHash(ctx, { ...person, ...first });
  const user = await tx(ctx, async (ctx) => {
    if (!(await setupTokenHash.take(ctx.db, hash)) || !(await isSetupRequired(ctx))) throw refuse();
    const admin = await addUser(ctx, ready);
    await record(ctx, 'server.set_up', { kind: 'user', id: admin.id, name: admin.name });
    return admin;
  });
  return openSession(ctx, user);
}
