import { readFile } from 'node:fs/promises';
import type { AppCtx, Ctx } from '../../context.ts';
import { systemCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { certificateFiles } from '../../kernel/certificate-files.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { randomBase62 } from '../../kernel/crypto.ts';
import { Failure, notFound } from '../../kernel/errors.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { appSubject, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findSettings } from './branch-configurations.ts';
import { type AppWork, type Build, queueBuild } from './builds.ts';
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
import {
  countWaiting,
  deleteWaiting,
  deleteWaitingOf,
  findWaitingOf,
  insertWaiting,
  listWaiting,
  listWaitingApps,
} from './waiting-pushes.store.ts';

const PURPOSE = 'push-hook';

export interface PushHook {
  url: string;
  secret: string;
  /** For `hooks/post-receive` of a repository on any git server. */
  gitHook: string;
}

export const hookUrl = ({ publicUrl }: Pick<Ctx, 'publicUrl'>, hookId: string): string =>
  `${publicUrl()}/v0.1/public/pushes/${hookId}`;

/** The certificate of this server's own authority, if it shows a certificate of that to its clients. */
const readLocalAuthority = async ({ config }: Pick<Ctx, 'config'>): Promise<string | undefined> => {
  const files = certificateFiles(config);
  if (!('caFile' in files)) return undefined;
  return (await readFile(files.caFile, 'utf8').catch(() => '')).trim() || undefined;
};

/**
 * A line for `post-receive`. With the local authority, its certificate comes along, beside those that the machine trusts: no
 * other machine knows it.
 */
async function hookLine(ctx: Pick<Ctx, 'config'>, url: string, secret: string): Promise<string> {
  const authority = url.startsWith('https:') ? await readLocalAuthority(ctx) : undefined;
  const trust = authority === undefined ? '' : ' --capath /etc/ssl/certs --cacert /dev/fd/3';
  const line = `curl -fsS${trust} -H 'Content-Type: text/plain' -H 'X-Mooring-Token: ${secret}' --data-binary @- ${url}`;
  return authority === undefined ? line : `${line} 3<<'END'\n${authority}\nEND`;
}

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
    return { url, secret, gitHook: await hookLine(ctx, url, secret) };
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
  /** The queue is full; they come into it as soon as there is room. */
  waiting: { branch: string }[];
}

const isContinuous = (settings: Record<string, unknown> | undefined): boolean =>
  settings?.trigger === 'continuous' || settings?.trigger === 'continous';

/** Of one app: whoever pushes more than is built in a day hears that it is too much. */
const MOST_WAITING = 1000;

const failureCode = (error: unknown): string | undefined => (error instanceof Failure ? error.code : undefined);

/** Says whether it is kept. */
const letWait = (ctx: Ctx, appId: string, { branch, sha }: Push): Promise<boolean> =>
  tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `waiting-pushes ${appId}`);
    if (Number((await countWaiting.first(ctx.db, { appId }))?.count ?? 0) >= MOST_WAITING) return false;
    await insertWaiting.run(ctx.db, { app_id: appId, branch, commit_sha: sha.toLowerCase(), id: ctx.newId() });
    return true;
  });

/** One that finds the queue full waits; so does one behind others of its branch, which come first. */
async function buildPush(work: AppWork, push: Push): Promise<Build | Failure | 'waits' | 'built' | 'refused'> {
  const { branch, sha } = push;
  const appId = work.app.id;
  const isBehind = await findWaitingOf.first(work.db, { appId, branch });
  if (!isBehind) {
    try {
      return await queueBuild(work, { branch, sha, reason: 'push' });
    } catch (error) {
      if (failureCode(error) === 'Conflict') return 'built';
      if (error instanceof Failure && error.code === 'Forbidden') return error;
      if (failureCode(error) !== 'TooManyRequests') throw error;
    }
  }
  return (await letWait(work, appId, push)) ? 'waits' : 'refused';
}

/** Builds branches that are built on each push, each commit once. */
async function buildPushes(ctx: Ctx, appId: string, pushes: readonly Push[]): Promise<PushOutcome> {
  const work = { ...systemCtx(ctx), app: await getAppRef(ctx, appId) };
  const outcome: PushOutcome = { builds: [], skipped: [], waiting: [] };
  for (const push of pushes) {
    const { branch } = push;
    const skip = (reason: string) => outcome.skipped.push({ branch, reason });
    const settings = await findSettings(ctx, appId, branch);
    if (!settings) skip('It is not configured.');
    else if (!isContinuous(settings)) skip('It is built by hand only.');
    else if (isSkipped(push)) skip('Its commit says so.');
    else {
      const made = await buildPush(work, push);
      if (made === 'waits') outcome.waiting.push({ branch });
      else if (made === 'built') skip('This commit was built already.');
      else if (made instanceof Failure) skip(made.message);
      // The host shows it in its list of deliveries, from which it can be sent again.
      else if (made === 'refused') skip(`${MOST_WAITING} pushes of this app wait already; send it again later.`);
      else outcome.builds.push({ id: made.row.id, branch });
    }
  }
  return outcome;
}

/** Puts what waits into the queue, as it came, as far as there is room. */
async function queueWaitingOf(ctx: Ctx, appId: string): Promise<void> {
  const work = { ...systemCtx(ctx), app: await getAppRef(ctx, appId) };
  for (const { branch, commit_sha: sha } of await listWaiting.all(ctx.db, { appId, limit: MOST_WAITING })) {
    if (isContinuous(await findSettings(ctx, appId, branch))) {
      try {
        await queueBuild(work, { branch, sha, reason: 'push' });
      } catch (error) {
        if (['TooManyRequests', 'Forbidden'].includes(failureCode(error) ?? '')) return;
        // Queued by a process that was killed before it could say so.
        if (failureCode(error) !== 'Conflict') throw error;
      }
    }
    await tx(ctx, ({ db }) => deleteWaiting.run(db, { appId, branch, sha }));
  }
}

export async function queueWaiting(ctx: Ctx): Promise<void> {
  for (const { app_id: appId } of await listWaitingApps.all(ctx.db)) {
    await queueWaitingOf(ctx, appId).catch((err: unknown) =>
      ctx.log.warn({ err, appId }, 'a push that waited could not be queued'),
    );
  }
}

export const forgetWaiting = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  await deleteWaitingOf.run(db, { appId });
};

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
