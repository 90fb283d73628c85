import { randomUUID } from 'node:crypto';
import type { Ctx, Deps, UserCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { erasePersonalRows, type Person, personalTables } from '../../db/rows/personal-rows.ts';
import { tx } from '../../db/tx.ts';
import { type ServiceConnection, serviceConnections } from '../../extensions/service-connections.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, HOUR, toIso } from '../../kernel/clock.ts';
import { signText, verifyText } from '../../kernel/crypto/sealed.ts';
import { Failure, notFound, tooManyRequests, unavailable } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { type Account, deleteUser, getAccount, refuseIndispensable } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { refuseCrowdedRecipient, sanitizeName, sendMail } from '../mail/index.ts';
import { createArchive } from './archive.ts';
import {
  cancelDeletions,
  cancelExport,
  countExportsSince,
  type DataRequestRow,
  deleteDataRequest,
  findDataRequest,
  insertDataRequest,
  listDataRequests,
  listDueDeletions,
  listEndedRequests,
  lockDataRequest,
  saveProgress,
} from './data-requests.store.ts';

export const dataExport = defineJob<{ id: string }>('data_request.export');
export const dataRequestsSweep = defineSchedule('data_request.sweep', HOUR);

const EXPORTS_PER_DAY = 15;
const ARCHIVE_LIFE = 7 * DAY;
/** Archives are much smaller, even of old accounts. */
const ARCHIVE_MAX = 4 * 1024 ** 3;
/** How long the receipt of a deleted account can be looked up. */
const RECEIPT_LIFE = 365 * DAY;
const MAX_LISTED = 50;

const archiveKey = (id: string): string => `data-requests/${id}`;
const formatDate = (at: number): string => toIso(at).slice(0, 10);

export interface Receipt {
  id: string;
  createdAt: number;
}

export interface DataRequest extends Receipt {
  kind: DataRequestRow['kind'];
  status: Exclude<DataRequestRow['status'], 'Cancelled'> | 'None';
  message: string;
  dueAt: number | undefined;
  /** The archive can still be downloaded. */
  isThere: boolean;
  /** Only for callers who may download everything. */
  link: string | undefined;
  expiresAt: number | undefined;
}

const signEmail = ({ secretKey }: Pick<Deps, 'secretKey'>, email: string): string =>
  signText(secretKey, 'data-request', email.toLowerCase());

async function addRequest(ctx: UserCtx, kind: DataRequestRow['kind'], dueAt: number): Promise<Receipt> {
  const { user } = ctx.actor;
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  await insertDataRequest.run(ctx.db, {
    id,
    kind,
    user_id: user.id,
    email_proof: signEmail(ctx, user.email),
    status: 'Created',
    message: '',
    created_at: createdAt,
    due_at: dueAt,
    ended_at: null,
  });
  await record(ctx, 'data_request.create', { kind: 'data_request', id, name: kind });
  return { id, createdAt };
}

/** Requests a copy of all data about the caller. */
export const requestExport = (ctx: UserCtx): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    await lock(ctx, 'limits', `data-requests ${ctx.actor.user.id}`);
    const made = await countExportsSince.first(ctx.db, { userId: ctx.actor.user.id, since: now - DAY });
    if (Number(made?.count ?? 0) >= EXPORTS_PER_DAY) {
      throw tooManyRequests(
        `You requested ${EXPORTS_PER_DAY} archives within a day. Download one of them, or try again later.`,
        HOUR / 1000,
      );
    }
    const receipt = await addRequest(ctx, 'export', now + ARCHIVE_LIFE);
    await enqueue(ctx, dataExport, { id: receipt.id });
    return receipt;
  });

/** Requests the deletion of the caller's account. Replaces an earlier request. */
export const requestDeletion = (ctx: UserCtx): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const dueAt = ctx.clock.now() + ctx.config.accountDeletionDays * DAY;
    await refuseCrowdedRecipient(ctx, user.email);
    await cancelDeletions.run(ctx.db, { userId: user.id, now: ctx.clock.now() });
    const receipt = await addRequest(ctx, 'delete', dueAt);
    await sendMail(ctx, {
      to: user.email,
      subject: 'Your Mooring account is scheduled for deletion',
      text: `You requested the deletion of your account ${sanitizeName(user.name)} on Mooring, with all your personal data.

The account will be deleted on ${formatDate(dueAt)}. Until then, it works as before. To keep the account, sign in and cancel the
deletion on the page below.

If you did not request this, cancel the deletion, change your password and revoke your tokens.

${ctx.publicUrl()}/settings/data
`,
    });
    return receipt;
  });

/** The reason why the account can't be deleted at the moment, if any. */
async function findDeletionBlocker(ctx: Ctx, userId: string): Promise<string | undefined> {
  try {
    await tx(ctx, async (ctx) => refuseIndispensable(ctx, await getAccount(ctx, userId)));
    return undefined;
  } catch (err) {
    if (err instanceof Failure && err.code === 'Conflict') return err.message;
    throw err;
  }
}

async function getStatusMessage(ctx: Ctx, row: DataRequestRow): Promise<string> {
  if (row.ended_at !== null) return row.message;
  if (row.kind === 'export') return 'The archive is being created.';
  const hindrance = row.user_id === null ? undefined : await findDeletionBlocker(ctx, row.user_id);
  const when = `The account will be deleted on ${formatDate(row.due_at)}. Until then you can cancel it.`;
  return hindrance === undefined ? when : `${when} The deletion would currently fail: ${hindrance}`;
}

async function toDataRequest(ctx: Ctx, row: DataRequestRow, userName: string): Promise<DataRequest> {
  const isThere = row.kind === 'export' && row.status === 'Completed' && row.due_at > ctx.clock.now();
  // The link exposes all data, which exceeds the rights of a Read-Only token.
  const isShown = isThere && ctx.actor.kind === 'user' && ctx.actor.tokenScope === 'all';
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at,
    status: row.status === 'Cancelled' ? 'None' : row.status,
    message: row.status === 'Cancelled' ? 'The request was canceled.' : await getStatusMessage(ctx, row),
    dueAt: row.kind === 'delete' && row.ended_at === null ? row.due_at : undefined,
    isThere,
    link: isShown
      ? downloadLink(ctx, { key: archiveKey(row.id), name: `${userName}.zip` }, { expiresAt: row.due_at })
      : undefined,
    expiresAt: row.kind === 'export' && row.status === 'Completed' ? row.due_at : undefined,
  };
}

/** The same message for unknown receipts and those of other users. */
const unknown = () => notFound('data request with this token');

async function getOwn(ctx: UserCtx, kind: DataRequestRow['kind'], id: string): Promise<DataRequestRow> {
  const row = await findDataRequest.first(ctx.db, { id, kind });
  if (row?.user_id !== ctx.actor.user.id) throw unknown();
  return row;
}

export const getExport = async (ctx: UserCtx, id: string): Promise<DataRequest> =>
  toDataRequest(ctx, await getOwn(ctx, 'export', id), ctx.actor.user.name);

/** For anyone with the receipt and the email address: the account may be deleted already. */
export async function getDeletion(ctx: Ctx, id: string, email: string): Promise<DataRequest> {
  const row = await findDataRequest.first(ctx.db, { id, kind: 'delete' });
  const isProven = verifyText(ctx.secretKey, 'data-request', email.toLowerCase(), row?.email_proof ?? '');
  if (!row || !isProven) throw unknown();
  return toDataRequest(ctx, row, '');
}

export const listOwnRequests = async (ctx: UserCtx): Promise<DataRequest[]> => {
  const { id: userId, name } = ctx.actor.user;
  const rows = await listDataRequests.all(ctx.db, { userId, limit: MAX_LISTED });
  return Promise.all(rows.map((row) => toDataRequest(ctx, row, name)));
};

/** Credentials of the caller in all domains. */
export async function listConnections(ctx: UserCtx): Promise<ServiceConnection[]> {
  const lists = await Promise.all(serviceConnections.list(ctx).map(({ list }) => list(ctx, ctx.actor.user.id)));
  return lists.flat();
}

const recordCancelling = (ctx: UserCtx, { id, kind }: DataRequestRow): Promise<void> =>
  record(ctx, 'data_request.cancel', { kind: 'data_request', id, name: kind });

/** The link stops working immediately; if the archive can't be deleted now, the next sweep deletes it. */
export const cancelExportRequest = (ctx: UserCtx, id: string): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const row = await getOwn(ctx, 'export', id);
    await cancelExport.run(ctx.db, { id, now: ctx.clock.now() });
    ctx.db.afterCommit(() => {
      ctx.blobs.delete(archiveKey(id)).catch((err: unknown) => ctx.log.warn({ err }, 'failed to delete an archive'));
    });
    await recordCancelling(ctx, row);
    return { id, createdAt: row.created_at };
  });

export const cancelDeletion = (ctx: UserCtx, id: string, email: string | undefined): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    await lockDataRequest.first(ctx.db, { id });
    const row = await getOwn(ctx, 'delete', id);
    if (email !== undefined && email.toLowerCase() !== user.email.toLowerCase()) throw unknown();
    if (row.ended_at !== null)
      throw unavailable("Can't cancel this request: it has already been completed or canceled.");
    await cancelDeletions.run(ctx.db, { userId: user.id, now: ctx.clock.now() });
    await recordCancelling(ctx, row);
    return { id, createdAt: row.created_at };
  });

/** An unverified address may belong to someone else. */
const toPerson = ({ id, email, isEmailVerified }: Account): Person => ({
  userId: id,
  email: isEmailVerified ? email.toLowerCase() : undefined,
});

/** Creates an archive. Repeating it writes to the same place. */
export async function makeArchive(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const row = await findDataRequest.first(ctx.db, { id, kind: 'export' });
  if (!row || row.user_id === null || row.ended_at !== null) return;
  const account = await getAccount(ctx, row.user_id);
  const dueAt = ctx.clock.now() + ARCHIVE_LIFE;
  const progress = (status: DataRequestRow['status'], message: string, endedAt: number | null) =>
    tx(ctx, ({ db }) => saveProgress.run(db, { id, status, message, endedAt, dueAt }));
  await progress('InProgress', '', null);
  await ctx.blobs.put(archiveKey(id), createArchive(ctx, toPerson(account)), {
    type: 'application/zip',
    maxBytes: ARCHIVE_MAX,
  });
  const isStillRequested = await progress('Completed', 'The archive is ready.', ctx.clock.now());
  if (isStillRequested === 0) await ctx.blobs.delete(archiveKey(id));
}

/** Deletes an account and all personal data, or saves why that failed. */
async function eraseAccount(ctx: Ctx, id: string, userId: string): Promise<void> {
  const end = (ctx: Ctx, status: DataRequestRow['status'], message: string) => {
    const now = ctx.clock.now();
    return saveProgress.run(ctx.db, { id, status, message, endedAt: now, dueAt: now });
  };
  const account = await getAccount(ctx, userId);
  try {
    await tx(ctx, async (ctx) => {
      const row = await lockDataRequest.first(ctx.db, { id });
      if (row?.ended_at !== null) return;
      await deleteUser(ctx, userId);
      const alias = `deleted-user-${id.slice(0, 8)}`;
      for (const [table, personal] of personalTables()) {
        await erasePersonalRows(ctx.db, table, personal, toPerson(account), alias);
      }
      await end(ctx, 'Completed', 'Deleted the account and all personal data of its user.');
    });
  } catch (err) {
    if (!(err instanceof Failure && err.code === 'Conflict')) throw err;
    await tx(ctx, async (ctx) => {
      await end(ctx, 'Failed', err.message);
      await sendMail(ctx, {
        to: account.email,
        subject: 'Your Mooring account could not be deleted',
        text: `You requested the deletion of your account ${sanitizeName(account.name)} on Mooring. It failed because other users or resources
still depend on the account. The page below shows what to do first. Then request the deletion again.

${ctx.publicUrl()}/settings/data
`,
      });
    });
  }
}

const BATCH = 100;

/** Deletes accounts whose date has come, expired archives, and old receipts. */
export async function sweepDataRequests(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (;;) {
    const due = await listDueDeletions.all(ctx.db, { now, limit: BATCH });
    for (const { id, user_id } of due) {
      if (user_id !== null) await eraseAccount(ctx, id, user_id);
      else await tx(ctx, ({ db }) => deleteDataRequest.run(db, { id }));
    }
    if (due.length < BATCH) break;
  }
  for (;;) {
    const ended = await listEndedRequests.all(ctx.db, { now, oldReceipts: now - RECEIPT_LIFE, limit: BATCH });
    for (const { id, kind } of ended) {
      if (kind === 'export') await ctx.blobs.delete(archiveKey(id));
      await tx(ctx, ({ db }) => deleteDataRequest.run(db, { id }));
    }
    if (ended.length < BATCH) return;
  }
}
