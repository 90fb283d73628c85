import { createHmac, timingSafeEqual } from 'node:crypto';
import { RUNNER_PROTOCOL, signedProtocol } from '@mooring/contract';
import type { AppCtx, Ctx, Deps, OrgCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { HOUR, SECOND } from '../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto/crypto.ts';
import { badRequest, notFound } from '../../kernel/errors.ts';
import { record } from '../audit/index.ts';
import { returnRunnerJobs } from './jobs/runner-jobs.ts';
import { type Device, type Runner, SEEN_EVERY, type Tool, toRunner } from './runner.ts';
import {
  countRunning,
  deleteAppCodes,
  deleteOldCodes,
  deleteRunnerRow,
  findRunnerRow,
  findRunnerRowByToken,
  insertCode,
  insertRunner,
  listAllRunners,
  listAppOwnRunners,
  listAppRunnerRows,
  listOrgRunnerRows,
  listServerRunnerRows,
  noteSeen,
  type RunnerRow,
  saveDeclaration,
  takeCode,
} from './runners.store.ts';

/** The scope whose jobs a runner takes; all if empty. */
export interface Served {
  orgId?: string;
  appId?: string;
}

const CODE_LASTS = HOUR;
/** Runners ask for jobs at least every half minute. */
const ONLINE = 90 * SECOND;

export const isOnline = ({ clock }: Pick<Deps, 'clock'>, { lastSeenAt }: Runner): boolean =>
  lastSeenAt !== undefined && lastSeenAt > clock.now() - ONLINE;

export const appServed = ({ app }: AppCtx): Served => ({ appId: app.id });
export const orgServed = ({ org }: OrgCtx): Served => ({ orgId: org.id });

const toAuditSubject = ({ orgId, appId }: Served, id: string, name?: string) =>
  ({
    kind: 'runner',
    id,
    ...(name === undefined ? {} : { name }),
    ...(orgId === undefined ? {} : { orgId }),
    ...(appId === undefined ? {} : { appId }),
  }) as const;

export const inviteRunner = (ctx: Ctx, served: Served): Promise<{ code: string; expiresAt: number }> =>
  tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const code = `mrc_${randomBase62(24)}`;
    const expiresAt = now + CODE_LASTS;
    await deleteOldCodes.run(ctx.db, { now });
    await insertCode.run(ctx.db, {
      code_hash: sha256(code),
      org_id: served.orgId ?? null,
      app_id: served.appId ?? null,
      expires_at: expiresAt,
    });
    await record(ctx, 'runner.invite', toAuditSubject(served, served.appId ?? served.orgId ?? 'server'), {});
    return { code, expiresAt };
  });

export const registerRunner = (ctx: Ctx, { code, name }: { code: string; name: string }) =>
  tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const match = await takeCode.first(ctx.db, { codeHash: sha256(code) });
    if (!match || match.expires_at <= now) {
      throw badRequest(
        'This code is unknown, was used, or has expired. Create a new one on the page that lists the runners.',
      );
    }
    const token = `mrt_${randomBase62(43)}`;
    const row: RunnerRow = {
      id: ctx.newId(),
      org_id: match.org_id,
      app_id: match.app_id,
      name: name.trim(),
      token_hash: sha256(token),
      labels: '[]',
      tools: '[]',
      devices: '[]',
      version: null,
      slots: 1,
      trouble: null,
      created_at: now,
      last_seen_at: null,
    };
    await insertRunner.run(ctx.db, row);
    const runner = toRunner(row);
    const served = {
      ...(runner.orgId === undefined ? {} : { orgId: runner.orgId }),
      ...(runner.appId === undefined ? {} : { appId: runner.appId }),
    };
    await record(ctx, 'runner.register', toAuditSubject(served, row.id, row.name), {
      after: { serves: runner.serves },
    });
    return { ...runner, token };
  });

export async function findRunnerByToken({ db }: Pick<Deps, 'db'>, token: string): Promise<Runner | undefined> {
  if (!/^mrt_[0-9A-Za-z]{43}$/.test(token)) return undefined;
  const row = await findRunnerRowByToken.first(db, { tokenHash: sha256(token) });
  return row && toRunner(row);
}

export const noteRunner = async (ctx: Deps, id: string): Promise<void> => {
  const now = ctx.clock.now();
  await tx(ctx, ({ db }) => noteSeen.run(db, { id, now, before: now - SEEN_EVERY }));
};

export interface Declaration {
  protocol: number;
  version: string;
  labels: string[];
  tools: Tool[];
  slots: number;
  devices?: Device[] | undefined;
  is_started?: boolean | undefined;
  trouble?: string | undefined;
  signature?: string | undefined;
}

/** Signature as the runner computes it; the server stores only the hash of its token. */
const sign = (tokenHash: string, text: string): string =>
  createHmac('sha256', tokenHash).update(text).digest('base64url');

const isSigned = (actual: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const uniqueDevices = (devices: readonly Device[]): Device[] => [
  ...new Map(devices.map((device) => [device.key, device])).values(),
];

/** Records the runner's declaration and returns the server's protocol version, signed. */
export async function declareRunner(
  ctx: Ctx & { runner: Runner },
  declared: Declaration,
): Promise<{ protocol: number; signature: string }> {
  if (declared.protocol > RUNNER_PROTOCOL) {
    throw badRequest(
      `This server supports version ${RUNNER_PROTOCOL} of the runner protocol. Update the server, or use an older runner.`,
    );
  }
  if (declared.protocol < RUNNER_PROTOCOL - 1) {
    throw badRequest(
      `This runner uses version ${declared.protocol} of the runner protocol, which is too old. Update the runner.`,
    );
  }
  const { id } = ctx.runner;
  const tokenHash = (await findRunnerRow.first(ctx.db, { id }))?.token_hash ?? '';
  const expected = sign(tokenHash, signedProtocol('runner', { protocol: declared.protocol, about: declared.version }));
  // The first protocol version had no signatures.
  if (declared.protocol > 1 && !isSigned(declared.signature ?? '', expected)) {
    throw badRequest(
      'The protocol version is not signed with the token of the runner; it may have been changed in transit.',
    );
  }
  await tx(ctx, async (ctx) => {
    await saveDeclaration.run(ctx.db, {
      id,
      labels: JSON.stringify([...new Set(declared.labels)]),
      tools: JSON.stringify(declared.tools),
      devices: JSON.stringify(uniqueDevices(declared.devices ?? [])),
      version: declared.version,
      slots: declared.slots,
      trouble: declared.trouble ?? null,
      now: ctx.clock.now(),
    });
    if (declared.is_started) await returnRunnerJobs(ctx, ctx.runner, `The runner ${ctx.runner.name} was restarted.`);
  });
  const signature = sign(tokenHash, signedProtocol('server', { protocol: RUNNER_PROTOCOL, about: id }));
  return { protocol: RUNNER_PROTOCOL, signature };
}

export interface ListedRunner extends Runner {
  running: number;
  isOnline: boolean;
}

async function toListed(ctx: Pick<Deps, 'db' | 'clock'>, rows: readonly RunnerRow[]): Promise<ListedRunner[]> {
  const running = new Map((await countRunning.all(ctx.db)).map(({ runner_id, count }) => [runner_id, Number(count)]));
  return rows.map(toRunner).map((runner) => ({
    ...runner,
    running: running.get(runner.id) ?? 0,
    isOnline: isOnline(ctx, runner),
  }));
}

/** An app with its owner, independent of the caller. */
export type OwnedApp = Pick<Deps, 'db' | 'clock' | 'config'> & { app: Pick<AppCtx['app'], 'id' | 'ownerId'> };

export const listAppRunners = async (ctx: Omit<OwnedApp, 'config'>): Promise<ListedRunner[]> =>
  toListed(ctx, await listAppRunnerRows.all(ctx.db, { appId: ctx.app.id, ownerId: ctx.app.ownerId }));
export const listOrgRunners = async (ctx: OrgCtx): Promise<ListedRunner[]> =>
  toListed(ctx, await listOrgRunnerRows.all(ctx.db, { orgId: ctx.org.id }));
export const listServerRunners = async (ctx: Ctx): Promise<ListedRunner[]> =>
  toListed(ctx, await listServerRunnerRows.all(ctx.db));

/** Lists the runners of the server, of organizations and of apps; for administrators only. */
export async function listEveryRunner(ctx: Ctx): Promise<(ListedRunner & { servesName: string | undefined })[]> {
  const rows = await listAllRunners.all(ctx.db);
  const names = new Map(
    rows.map(({ id, app_name, owner_name, org_name }) => [
      id,
      app_name === null ? (org_name ?? undefined) : `${owner_name}/${app_name}`,
    ]),
  );
  return (await toListed(ctx, rows)).map((runner) => ({ ...runner, servesName: names.get(runner.id) }));
}

/** Only from the scope that it serves: an app cannot remove a runner of the server. */
export const removeRunner = (ctx: Ctx, served: Served, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await findRunnerRow.first(ctx.db, { id });
    if (!row || row.app_id !== (served.appId ?? null) || row.org_id !== (served.orgId ?? null)) {
      throw notFound('runner', id);
    }
    await drop(ctx, served, row);
  });

async function drop(ctx: Ctx, served: Served, row: RunnerRow): Promise<void> {
  await returnRunnerJobs(ctx, row, `The runner ${row.name} was removed.`);
  await deleteRunnerRow.run(ctx.db, { id: row.id });
  await record(ctx, 'runner.remove', toAuditSubject(served, row.id, row.name), {});
}

/** Runners that the previous owner registered must not build with the secrets of the next. */
export async function removeAppRunners(ctx: Ctx, appId: string): Promise<void> {
  await deleteAppCodes.run(ctx.db, { appId });
  for (const row of await listAppOwnRunners.all(ctx.db, { appId })) await drop(ctx, { appId }, row);
}
