import type { Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { keyValue } from '../../../db/rows/key-values.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { findAnyAdmin } from '../users/users.store.ts';
import { addUser, type NewUser, withPasswordHash } from '../users/users.ts';
import { type OpenedSession, openSession } from './sessions.ts';

const setupTokenHash = keyValue('accounts.setup_token_hash');

/** The operator who starts the server vouches for the first administrator. */
const first = { isAdmin: true, isEmailVerified: true };

export const isSetupRequired = async (ctx: Pick<Ctx, 'db'>): Promise<boolean> =>
  (await findAnyAdmin.first(ctx.db)) === undefined;

/**
 * Runs at start. Creates the first administrator from the settings if they name one. Otherwise, while there is no
 * administrator, creates a new setup token and returns it to be printed; only its hash is stored.
 */
export async function prepareFirstAdmin(ctx: Ctx): Promise<string | undefined> {
  if (!(await isSetupRequired(ctx))) return undefined;
  const { adminEmail, adminPassword } = ctx.config;
  if (adminEmail && adminPassword) {
    const ready = await withPasswordHash(ctx, { email: adminEmail, password: adminPassword, ...first });
    await tx(ctx, async (ctx) => {
      // Several processes may start on one empty database; the first to get the lock creates the administrator.
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
  forbidden('This setup link was used or replaced by a newer one. Restart the server to get a new link.');

/** Uses the setup link: creates the first administrator and signs them in. */
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
