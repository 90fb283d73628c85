import type { Ctx, Deps, LastUseEntry, User, UserActor, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { Failure, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { toUser } from '../users/user.ts';
import { deleteExpiredPasswordResets } from './password-resets.store.ts';
import {
  confirmSession,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsBySid,
  deleteSessionsBySubject,
  deleteUserSessions,
  findConfirmation,
  findOpener,
  findSessionUser,
  insertSession,
  listUserSessions,
  touchSessions,
} from './sessions.store.ts';
import { checkSignIn, FAILURE_MEMORY, FAMILIAR, FAMILIARITY } from './sign-in.ts';
import { deleteOldFailures } from './sign-in-failures.store.ts';

export interface Session {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  address: string;
  userAgent: string | undefined;
  isCurrent: boolean;
}

/** The session of an identity provider that opened a session here. */
export interface ProviderSession {
  provider: string;
  subject: string;
  sid: string | undefined;
  /** Sealed by the caller. */
  sealedIdToken: string | undefined;
}

/** The browser's side of a session. */
export interface OpenedSession {
  user: User;
  secret: string;
  expiresAt: number;
}

const SECRET_LENGTH = 32;
const secretPattern = new RegExp(`^[0-9A-Za-z]{${SECRET_LENGTH}}$`);

export const isSessionSecret = (text: string): boolean => secretPattern.test(text);

/** Starts a session with a new secret, and ends the session that the browser had before. */
export async function signIn(
  ctx: Ctx,
  input: { login: string; password: string; code?: string },
): Promise<OpenedSession> {
  const user = await checkSignIn(ctx, input.login, input.password, input.code);
  if (!user) throw new Failure('Unauthorized', 'The name or password is wrong.');
  return openSession(ctx, user);
}

export async function openSession(ctx: Ctx, user: User, opener?: ProviderSession): Promise<OpenedSession> {
  const now = ctx.clock.now();
  const expiresAt = now + ctx.config.sessionDays * DAY;
  const secret = randomBase62(SECRET_LENGTH);
  const id = ctx.newId();
  const actor: UserActor = { kind: 'user', user, credential: { kind: 'session', id }, tokenScope: 'all' };
  const previous = ctx.actor;
  await tx({ ...ctx, actor }, async (ctx) => {
    if (previous.kind === 'user' && previous.credential.kind === 'session') {
      await removeSession(ctx, previous.user, previous.credential.id);
    }
    await insertSession.run(ctx.db, {
      hash: sha256(secret),
      id,
      user_id: user.id,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
      address: ctx.origin?.address ?? '',
      user_agent: ctx.origin?.userAgent?.slice(0, 300) ?? null,
      provider: opener?.provider ?? null,
      provider_subject: opener?.subject ?? null,
      provider_sid: opener?.sid ?? null,
      sealed_id_token: opener?.sealedIdToken ?? null,
      confirmed_at: null,
    });
    await record(ctx, 'session.create', { kind: 'session', id, name: user.name });
  });
  return { user, secret, expiresAt };
}

/** The actor of a session cookie, and when the session expires. */
export async function findSessionActor(
  deps: Deps,
  secret: string,
): Promise<{ actor: UserActor; expiresAt: number } | undefined> {
  const row = await findSessionUser.first(deps.db, { hash: sha256(secret) });
  if (!row || row.is_disabled || row.expires_at <= deps.clock.now()) return undefined;
  const credential = { kind: 'session', id: row.session_id } as const;
  return { actor: { kind: 'user', user: toUser(row), credential, tokenScope: 'all' }, expiresAt: row.expires_at };
}

export async function listSessions(ctx: UserCtx): Promise<Session[]> {
  const { user, credential } = ctx.actor;
  const rows = await listUserSessions.all(ctx.db, { userId: user.id, now: ctx.clock.now() });
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent ?? undefined,
    isCurrent: credential.kind === 'session' && credential.id === row.id,
  }));
}

/** Ends one of the caller's sessions; "current" is the session of this request. */
export async function endSession(ctx: UserCtx, idOrCurrent: string): Promise<void> {
  const { user, credential } = ctx.actor;
  const isCurrent = idOrCurrent === 'current';
  if (isCurrent && credential.kind !== 'session') throw notFound('session', 'current');
  const id = isCurrent && credential.kind === 'session' ? credential.id : idOrCurrent;
  await tx(ctx, async (ctx) => {
    if (!(await removeSession(ctx, user, id))) throw notFound('session', id);
  });
}

async function removeSession(ctx: Ctx, user: User, id: string): Promise<boolean> {
  if ((await deleteSession.run(ctx.db, { userId: user.id, id })) === 0) return false;
  await record(ctx, 'session.delete', { kind: 'session', id, name: user.name });
  return true;
}

/** Ends all sessions of a user except one. */
export async function endUserSessions(ctx: Ctx, userId: string, exceptId = ''): Promise<void> {
  await deleteUserSessions.run(ctx.db, { userId, exceptId });
}

/** The session of an identity provider that opened a session of the caller. */
export async function findProviderSession(
  ctx: Pick<Ctx, 'db'>,
  id: string,
): Promise<Pick<ProviderSession, 'provider' | 'sealedIdToken'> | undefined> {
  const row = await findOpener.first(ctx.db, { id });
  return row?.provider == null
    ? undefined
    : { provider: row.provider, sealedIdToken: row.sealed_id_token ?? undefined };
}

/** Ends sessions that an identity provider opened: one of its sessions, or all of its user. Returns their number. */
export async function endProviderSessions(
  ctx: Ctx,
  { provider, subject, sid }: { provider: string; subject: string | undefined; sid: string | undefined },
): Promise<number> {
  if (sid !== undefined) return deleteSessionsBySid.run(ctx.db, { provider, sid, subject: subject ?? null });
  return subject === undefined ? 0 : deleteSessionsBySubject.run(ctx.db, { provider, subject });
}

/** When the person of a session last proved who they are: at the sign-in, or by a confirmation. */
export async function findConfirmedAt(ctx: Pick<Ctx, 'db'>, id: string): Promise<number | undefined> {
  const row = await findConfirmation.first(ctx.db, { id });
  return row && Math.max(row.created_at, row.confirmed_at ?? 0);
}

/** Notes that the person of a session has proved who they are. */
export const noteConfirmation = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async ({ db, clock }) => void (await confirmSession.run(db, { id, now: clock.now() })));

/** Writes last-seen times in batches, outside of requests. */
export const writeLastSeen = (deps: Deps, entries: LastUseEntry[]): Promise<void> =>
  tx(deps, async ({ db }) => void (await touchSessions.run(db, { uses: JSON.stringify(entries) })));

export const signInsSweep = defineSchedule('sign_ins.sweep', HOUR);

/** Deletes expired sessions and links, and sign-in failures that no longer count. */
export const sweepSignIns = (deps: Deps): Promise<void> =>
  tx(deps, async ({ db, clock }) => {
    await deleteExpiredSessions.run(db, { now: clock.now() });
    await deleteExpiredPasswordResets.run(db, { now: clock.now() });
    const now = clock.now();
    const exempt = { exempt: `${FAMILIAR}%`, exemptBefore: now - FAMILIARITY };
    await deleteOldFailures.run(db, { before: now - FAILURE_MEMORY, ...exempt });
  });
