import type { Ctx, User, UserCtx } from '../../../context.ts';
import { conflict, Failure } from '../../../kernel/errors.ts';
import { checkPassword, type OpenedSession, openSession } from '../../accounts/index.ts';
import { isFactorRequired } from '../factor-rules/factor-rules.ts';
import { listUserPasskeys } from '../passkeys/passkeys.store.ts';
import { refusePassword } from '../rules/rules.ts';
import { findFactor } from './second-factor.store.ts';
import { confirmSecondFactor, issueSecret } from './second-factor.ts';

interface Login {
  login: string;
  password: string;
}

/** The person with this password, who needs a second factor to sign in and has none. */
async function findCandidate(ctx: Ctx, { login, password }: Login): Promise<User> {
  const user = await checkPassword(ctx, login, password);
  if (!user) throw new Failure('Unauthorized', 'The name or password is wrong.');
  await refusePassword(ctx, user);
  const factor = await findFactor.first(ctx.db, { userId: user.id });
  const passkeys = await listUserPasskeys.all(ctx.db, { userId: user.id });
  if (factor?.enabled_at != null || passkeys.length > 0 || !(await isFactorRequired(ctx, user))) {
    throw conflict('This account has a second factor, or needs none. Sign in.');
  }
  return user;
}

const asUser = (ctx: Ctx, user: User): UserCtx => ({
  ...ctx,
  actor: { kind: 'user', user, credential: { kind: 'password' }, tokenScope: 'all' },
});

export async function startAtSignIn(ctx: Ctx, login: Login): Promise<{ secret: string; url: string }> {
  const user = await findCandidate(ctx, login);
  return issueSecret(asUser(ctx, user));
}

/** Turns the second factor on, and signs in. */
export async function confirmAtSignIn(
  ctx: Ctx,
  { code, ...login }: Login & { code: string },
): Promise<{ codes: string[]; session: OpenedSession }> {
  const user = await findCandidate(ctx, login);
  const codes = await confirmSecondFactor(asUser(ctx, user), code);
  return { codes, session: await openSession(ctx, user) };
}
