import type { AppCtx, Ctx } from '../../context.ts';
import { systemCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { randomBase62 } from '../../kernel/crypto.ts';
import { Failure, notFound } from '../../kernel/errors.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { appSubject, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findSettings } from './branch-configurations.ts';
import { queueBuild } from './builds.ts';
import { GitError } from './git.ts';
import { isSkipped, type Push, readPushes } from './push-payloads.ts';
import { isSigned, type PushSignatures } from './push-signatures.ts';
import {
  claimPoll,
  findRepository,
  findRepositoryByHook,
  listPolled,
  notePushed,
  saveHook,
} from './repositories.store.ts';
import { findHeads } from './repositories.ts';

const PURPOSE = 'push-hook';

export interface PushHook {
  url: string;
  secret: string;
  /** For `hooks/post-receive` of a repository on any git server. */
  gitHook: string;
}

export const hookUrl = ({ publicUrl }: Pick<Ctx, 'publicUrl'>, hookId: string): string =>
  `${publicUrl()}/v0.1/public/pushes/${hookId}`;

/** One that was there before ends with its secret. */
export const createPushHook = (ctx: AppCtx): Promise<PushHook> =>
  tx(ctx, async (ctx) => {
    const repository = await findRepository.first(ctx.db, { appId: ctx.app.id });
    if (!repository) throw notFound('repository of this app');
    const hookId = ctx.newId();
    const secret = `mps_${randomBase62(43)}`;
    const sealed = seal(ctx.secretKey, PURPOSE, secret);
    await saveHook.run(ctx.db, { appId: ctx.app.id, hookId, secret: sealed });
    await record(ctx, 'push_hook.create', appSubject(ctx.app), { after: { repository: repository.url } });
    const url = hookUrl(ctx, hookId);
    const gitHook = `curl -fsS -H 'Content-Type: text/plain' -H 'X-Mooring-Token: ${secret}' --data-binary @- ${url}`;
    return { url, secret, gitHook };
  });

export const deletePushHook = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const repository = await findRepository.first(ctx.db, { appId: ctx.app.id });
    if (!repository?.hook_id) throw notFound('push hook of this app');
    await saveHook.run(ctx.db, { appId: ctx.app.id, hookId: null, secret: null });
    await record(ctx, 'push_hook.delete', appSubject(ctx.app), { before: { repository: repository.url } });
  });

/** Whoever had the secret for the owner before must not build with the secrets of the next. */
export const endPushHook = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  await saveHook.run(db, { appId, hookId: null, secret: null });
};

export interface PushOutcome {
  builds: { id: number; branch: string }[];
  skipped: { branch: string; reason: string }[];
}

const isContinuous = (settings: Record<string, unknown> | undefined): boolean =>
  settings?.trigger === 'continuous' || settings?.trigger === 'continous';

/** The host reads it in its list of deliveries, from which it can be sent again. */
const skipWords: Partial<Record<string, string>> = {
  Conflict: 'This commit was built already.',
  TooManyRequests: 'Too many builds of this app wait or run.',
  Forbidden: 'Its owner has used up the minutes of builds that they may use this month.',
};

/** Builds branches that are built on each push, each commit once. */
async function buildPushes(ctx: Ctx, appId: string, pushes: readonly Push[]): Promise<PushOutcome> {
  const work = { ...systemCtx(ctx), app: await getAppRef(ctx, appId) };
  const outcome: PushOutcome = { builds: [], skipped: [] };
  for (const push of pushes) {
    const { branch, sha } = push;
    const skip = (reason: string) => outcome.skipped.push({ branch, reason });
    const settings = await findSettings(ctx, appId, branch);
    if (!settings) skip('It is not configured.');
    else if (!isContinuous(settings)) skip('It is built by hand only.');
    else if (isSkipped(push)) skip('Its commit says so.');
    else {
      const made = await queueBuild(work, { branch, sha, reason: 'push' }).catch((error: unknown) => {
        const words = error instanceof Failure && skipWords[error.code];
        if (!words) throw error;
        skip(words);
      });
      if (made) outcome.builds.push({ id: made.row.id, branch });
    }
  }
  return outcome;
}

export interface ReceivedPush {
  hookId: string;
  signatures: PushSignatures;
  body: Uint8Array;
}

export async function receivePush(ctx: Ctx, { hookId, signatures, body }: ReceivedPush): Promise<PushOutcome> {
  const repository = await findRepositoryByHook.first(ctx.db, { hookId });
  const secret = repository?.hook_secret && open(ctx.secretKey, PURPOSE, repository.hook_secret);
  if (!repository || !secret || !isSigned(secret, body, signatures)) {
    throw new Failure(
      'Unauthorized',
      'No push hook has this address and this secret; make a new one on the page of the repository.',
    );
  }
  const pushes = readPushes(Buffer.from(body).toString('utf8'));
  await tx(ctx, ({ db }) => notePushed.run(db, { appId: repository.app_id, now: ctx.clock.now() }));
  return buildPushes(ctx, repository.app_id, pushes);
}

const AT_ONCE = 100;

/** Asks repositories for their branches, where the operator wants it; what was never built is built. */
export async function pollRepositories(ctx: Ctx): Promise<void> {
  const minutes = ctx.config.buildPollMinutes;
  if (minutes === 0) return;
  const now = ctx.clock.now();
  const before = now - minutes * MINUTE;
  for (const { app_id: appId } of await listPolled.all(ctx.db, { before, limit: AT_ONCE })) {
    if (!(await tx(ctx, ({ db }) => claimPoll.first(db, { appId, before, now })))) continue;
    try {
      const heads = await findHeads({ ...ctx, app: await getAppRef(ctx, appId) });
      if (!(heads instanceof GitError)) await buildPushes(ctx, appId, heads);
    } catch (err) {
      // One repository that cannot be read, or whose queue is full, must not hold up the others.
      ctx.log.warn({ err, appId }, 'a repository could not be polled');
    }
  }
}
