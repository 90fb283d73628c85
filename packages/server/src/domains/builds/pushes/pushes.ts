import { readFile } from 'node:fs/promises';
import type { AppCtx, Ctx } from '../../../context.ts';
import { systemCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { certificateFiles } from '../../../kernel/crypto/certificate-files.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { Failure } from '../../../kernel/errors.ts';
import { appSubject, getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { type AppWork, type Build, queueBuild } from '../builds.ts';
import { findSettings } from '../configurations/branch-configurations.ts';
import { GitError } from '../repositories/git.ts';
import {
  claimPoll,
  findRepository,
  findRepositoryByHook,
  listPolled,
  notePushed,
  saveHook,
} from '../repositories/repositories.store.ts';
import { findHeads } from '../repositories/repositories.ts';
import { isSkipped, type Push, readPushes } from './push-payloads.ts';
import { isSigned, type PushSignatures } from './push-signatures.ts';
import {
  countWaiting,
  deleteWaiting,
  deleteWaitingPushes,
  findWaitingPush,
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

/** The certificate of this server's local authority, if clients get one signed by it. */
const readLocalAuthority = async ({ config }: Pick<Ctx, 'config'>): Promise<string | undefined> => {
  const files = certificateFiles(config);
  if (!('caFile' in files)) return undefined;
  return (await readFile(files.caFile, 'utf8').catch(() => '')).trim() || undefined;
};

/** A line for `post-receive`. Includes the certificate of the local authority, which other machines do not know. */
async function hookLine(ctx: Pick<Ctx, 'config'>, url: string, secret: string): Promise<string> {
  const authority = url.startsWith('https:') ? await readLocalAuthority(ctx) : undefined;
  const trust = authority === undefined ? '' : ' --capath /etc/ssl/certs --cacert /dev/fd/3';
  const line = `curl -fsS${trust} -H 'Content-Type: text/plain' -H 'X-Mooring-Token: ${secret}' --data-binary @- ${url}`;
  return authority === undefined ? line : `${line} 3<<'END'\n${authority}\nEND`;
}

/** Replaces the previous webhook, whose secret stops working. */
export const createPushHook = (ctx: AppCtx): Promise<PushHook> =>
  tx(ctx, async (ctx) => {
    const repository = await findRepository.first(ctx.db, { appId: ctx.app.id });
    if (!repository) throw new Failure('NotFound', 'This app has no repository. Connect one first.');
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
    if (!repository?.hook_id) throw new Failure('NotFound', 'This app has no push webhook.');
    await saveHook.run(ctx.db, { appId: ctx.app.id, hookId: null, secret: null });
    await record(ctx, 'push_hook.delete', appSubject(ctx.app), { before: { repository: repository.url } });
  });

/** The previous owner knows the secret, and must not start builds with secrets of the next. */
export const endPushHook = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  await saveHook.run(db, { appId, hookId: null, secret: null });
};

export interface PushOutcome {
  builds: { id: number; branch: string }[];
  skipped: { branch: string; reason: string }[];
  /** Branches that are built as soon as the full queue has space. */
  waiting: { branch: string }[];
}

const isContinuous = (settings: Record<string, unknown> | undefined): boolean =>
  settings?.trigger === 'continuous' || settings?.trigger === 'continous';

/** Per app; more pushes than a day of builds are refused. */
const MAX_WAITING = 1000;

const failureCode = (error: unknown): string | undefined => (error instanceof Failure ? error.code : undefined);

/** Returns whether the push was stored. */
const letWait = (ctx: Ctx, appId: string, { branch, sha }: Push): Promise<boolean> =>
  tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `waiting-pushes ${appId}`);
    if (Number((await countWaiting.first(ctx.db, { appId }))?.count ?? 0) >= MAX_WAITING) return false;
    await insertWaiting.run(ctx.db, { app_id: appId, branch, commit_sha: sha.toLowerCase(), id: ctx.newId() });
    return true;
  });

/** Queues a build. A push waits if the queue is full, or if earlier pushes of its branch are waiting. */
async function buildPush(work: AppWork, push: Push): Promise<Build | Failure | 'waits' | 'built' | 'refused'> {
  const { branch, sha } = push;
  const appId = work.app.id;
  const isBehind = await findWaitingPush.first(work.db, { appId, branch });
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

/** Builds the branches with a continuous trigger; each commit once. */
async function buildPushes(ctx: Ctx, appId: string, pushes: readonly Push[]): Promise<PushOutcome> {
  const work = { ...systemCtx(ctx), app: await getAppRef(ctx, appId) };
  const outcome: PushOutcome = { builds: [], skipped: [], waiting: [] };
  for (const push of pushes) {
    const { branch } = push;
    const skip = (reason: string) => outcome.skipped.push({ branch, reason });
    const settings = await findSettings(ctx, appId, branch);
    if (!settings) skip('The branch has no build configuration.');
    else if (!isContinuous(settings)) skip('The branch is built on demand only, not on push.');
    else if (isSkipped(push)) skip('The commit message contains [skip ci].');
    else {
      const made = await buildPush(work, push);
      if (made === 'waits') outcome.waiting.push({ branch });
      else if (made === 'built') skip('A push of this commit already queued a build.');
      else if (made instanceof Failure) skip(made.message);
      // The host lists it as a failed delivery that can be redelivered.
      else if (made === 'refused')
        skip(`${MAX_WAITING} pushes of this app are already waiting. Redeliver this one later.`);
      else outcome.builds.push({ id: made.row.id, branch });
    }
  }
  return outcome;
}

/** Queues waiting pushes in order while the queue has space. */
async function queueWaitingPushes(ctx: Ctx, appId: string): Promise<void> {
  const work = { ...systemCtx(ctx), app: await getAppRef(ctx, appId) };
  for (const { branch, commit_sha: sha } of await listWaiting.all(ctx.db, { appId, limit: MAX_WAITING })) {
    if (isContinuous(await findSettings(ctx, appId, branch))) {
      try {
        await queueBuild(work, { branch, sha, reason: 'push' });
      } catch (error) {
        if (['TooManyRequests', 'Forbidden'].includes(failureCode(error) ?? '')) return;
        // Already queued by a process that was killed before it could delete the push.
        if (failureCode(error) !== 'Conflict') throw error;
      }
    }
    await tx(ctx, ({ db }) => deleteWaiting.run(db, { appId, branch, sha }));
  }
}

export async function queueWaiting(ctx: Ctx): Promise<void> {
  for (const { app_id: appId } of await listWaitingApps.all(ctx.db)) {
    await queueWaitingPushes(ctx, appId).catch((err: unknown) =>
      ctx.log.warn({ err, appId }, 'failed to queue the build of a waiting push'),
    );
  }
}

export const dropWaitingPushes = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  await deleteWaitingPushes.run(db, { appId });
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
      'No push webhook has this URL and secret. Create a new one on the repository page.',
    );
  }
  const pushes = readPushes(Buffer.from(body).toString('utf8'));
  await tx(ctx, ({ db }) => notePushed.run(db, { appId: repository.app_id, now: ctx.clock.now() }));
  return buildPushes(ctx, repository.app_id, pushes);
}

const BATCH_SIZE = 100;

/** Polls repositories for new commits, if enabled, and builds those that were never built. */
export async function pollRepositories(ctx: Ctx): Promise<void> {
  const minutes = ctx.config.buildPollMinutes;
  if (minutes === 0) return;
  const now = ctx.clock.now();
  const before = now - minutes * MINUTE;
  for (const { app_id: appId } of await listPolled.all(ctx.db, { before, limit: BATCH_SIZE })) {
    if (!(await tx(ctx, ({ db }) => claimPoll.first(db, { appId, before, now })))) continue;
    try {
      const heads = await findHeads({ ...ctx, app: await getAppRef(ctx, appId) });
      if (!(heads instanceof GitError)) await buildPushes(ctx, appId, heads);
    } catch (err) {
      // An unreachable repository or a full queue must not delay the others.
      ctx.log.warn({ err, appId }, 'failed to poll a repository');
    }
  }
}
