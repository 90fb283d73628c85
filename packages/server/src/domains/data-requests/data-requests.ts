import { randomUUID } from 'node:crypto';
import type { Ctx, Deps, ServiceConnection, UserCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { erasePersonalRows, type Person, personalTables } from '../../db/personal-rows.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, HOUR, toIso } from '../../kernel/clock.ts';
import { Failure, notFound, tooManyRequests, unavailable } from '../../kernel/errors.ts';
import { signText, verifyText } from '../../kernel/sealed.ts';
import { downloadLink } from '../../uploads/index.ts';
import { type Account, deleteUser, getAccount, refuseIndispensable } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { asWords, refuseCrowdedRecipient, sendMail } from '../mail/index.ts';
import { archiveOf } from './archive.ts';
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
/** An account has asked for less than this, however long it has been there. */
const ARCHIVE_MAX = 4 * 1024 ** 3;
/** How long the receipt of an account that is gone says so. */
const RECEIPT_LIFE = 365 * DAY;
const SHOWN = 50;

const archiveKey = (id: string): string => `data-requests/${id}`;
const dateOf = (at: number): string => toIso(at).slice(0, 10);

export interface Receipt {
  id: string;
  createdAt: number;
}

export interface DataRequest extends Receipt {
  kind: DataRequestRow['kind'];
  status: Exclude<DataRequestRow['status'], 'Cancelled'> | 'None';
  message: string;
  dueAt: number | undefined;
  /** Whether the archive can still be downloaded. */
  isThere: boolean;
  /** For whoever may have all of it. */
  link: string | undefined;
  expiresAt: number | undefined;
}

const proofOf = ({ secretKey }: Pick<Deps, 'secretKey'>, email: string): string =>
  signText(secretKey, 'data-request', email.toLowerCase());

async function addRequest(ctx: UserCtx, kind: DataRequestRow['kind'], dueAt: number): Promise<Receipt> {
  const { user } = ctx.actor;
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  await insertDataRequest.run(ctx.db, {
    id,
    kind,
    user_id: user.id,
    email_proof: proofOf(ctx, user.email),
    status: 'Created',
    message: '',
    created_at: createdAt,
    due_at: dueAt,
    ended_at: null,
  });
  await record(ctx, 'data_request.create', { kind: 'data_request', id, name: kind });
  return { id, createdAt };
}

/** Asks for a copy of everything about the caller. */
export const requestExport = (ctx: UserCtx): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    await lock(ctx, 'limits', `data-requests ${ctx.actor.user.id}`);
    const made = await countExportsSince.first(ctx.db, { userId: ctx.actor.user.id, since: now - DAY });
    if (Number(made?.count ?? 0) >= EXPORTS_PER_DAY) {
      throw tooManyRequests(
        `You asked for ${EXPORTS_PER_DAY} archives within a day; use one of them, or wait.`,
        HOUR / 1000,
      );
    }
    const receipt = await addRequest(ctx, 'export', now + ARCHIVE_LIFE);
    await enqueue(ctx, dataExport, { id: receipt.id });
    return receipt;
  });

/** Asks for the caller's account to be deleted; takes the place of what they asked for before. */
export const requestDeletion = (ctx: UserCtx): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const dueAt = ctx.clock.now() + ctx.config.accountDeletionDays * DAY;
    await refuseCrowdedRecipient(ctx, user.email);
    await cancelDeletions.run(ctx.db, { userId: user.id, now: ctx.clock.now() });
    const receipt = await addRequest(ctx, 'delete', dueAt);
    await sendMail(ctx, {
      to: user.email,
      subject: 'Your account on Mooring is going to be deleted',
      text: `Somebody, probably you, asked for the account ${asWords(user.name)} on Mooring to be deleted, with everything about you.

That happens on ${dateOf(dueAt)}. Until then the account works as before, and you can keep it: sign in and cancel the
deletion on this page.

If it was not you, cancel it, then change your password and revoke your tokens.

${ctx.publicUrl()}/settings/data
`,
    });
    return receipt;
  });

/** What stands in the way of a deletion now, in words. */
async function hindranceOf(ctx: Ctx, userId: string): Promise<string | undefined> {
  try {
    await tx(ctx, async (ctx) => refuseIndispensable(ctx, await getAccount(ctx, userId)));
    return undefined;
  } catch (err) {
    if (err instanceof Failure && err.code === 'Conflict') return err.message;
    throw err;
  }
}

async function messageOf(ctx: Ctx, row: DataRequestRow): Promise<string> {
  if (row.ended_at !== null) return row.message;
  if (row.kind === 'export') return 'The archive is being made.';
  const hindrance = row.user_id === null ? undefined : await hindranceOf(ctx, row.user_id);
  const when = `The account will be deleted on ${dateOf(row.due_at)}. Until then you can cancel it.`;
  return hindrance === undefined ? when : `${when} As it is now, that would fail: ${hindrance}`;
}

async function toDataRequest(ctx: Ctx, row: DataRequestRow, userName: string): Promise<DataRequest> {
  const isThere = row.kind === 'export' && row.status === 'Completed' && row.due_at > ctx.clock.now();
  // Whoever has the link has all of it: more than a Read-Only token is for.
  const isShown = isThere && ctx.actor.kind === 'user' && ctx.actor.reach === 'all';
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at,
    status: row.status === 'Cancelled' ? 'None' : row.status,
    message: row.status === 'Cancelled' ? 'It was cancelled.' : await messageOf(ctx, row),
    dueAt: row.kind === 'delete' && row.ended_at === null ? row.due_at : undefined,
    isThere,
    link: isShown
      ? downloadLink(ctx, { key: archiveKey(row.id), name: `${userName}.zip` }, { expiresAt: row.due_at })
      : undefined,
    expiresAt: row.kind === 'export' && row.status === 'Completed' ? row.due_at : undefined,
  };
}

/** One message for a receipt that is none and for one of somebody else. */
const unknown = () => notFound('request with this token');

async function getOwn(ctx: UserCtx, kind: DataRequestRow['kind'], id: string): Promise<DataRequestRow> {
  const row = await findDataRequest.first(ctx.db, { id, kind });
  if (row?.user_id !== ctx.actor.user.id) throw unknown();
  return row;
}

export const getExport = async (ctx: UserCtx, id: string): Promise<DataRequest> =>
  toDataRequest(ctx, await getOwn(ctx, 'export', id), ctx.actor.user.name);

/** For whoever has the receipt and knows the address: the account may be gone. */
export async function getDeletion(ctx: Ctx, id: string, email: string): Promise<DataRequest> {
  const row = await findDataRequest.first(ctx.db, { id, kind: 'delete' });
  const isProven = verifyText(ctx.secretKey, 'data-request', email.toLowerCase(), row?.email_proof ?? '');
  if (!row || !isProven) throw unknown();
  return toDataRequest(ctx, row, '');
}

export const listOwnRequests = async (ctx: UserCtx): Promise<DataRequest[]> => {
  const { id: userId, name } = ctx.actor.user;
  const rows = await listDataRequests.all(ctx.db, { userId, limit: SHOWN });
  return Promise.all(rows.map((row) => toDataRequest(ctx, row, name)));
};

/** Credentials that the caller gave, by whatever domain keeps them. */
export async function listConnections(ctx: UserCtx): Promise<ServiceConnection[]> {
  const lists = await Promise.all(ctx.connections.map(({ list }) => list(ctx, ctx.actor.user.id)));
  return lists.flat();
}

const recordCancelling = (ctx: UserCtx, { id, kind }: DataRequestRow): Promise<void> =>
  record(ctx, 'data_request.cancel', { kind: 'data_request', id, name: kind });

/** An archive that is made already goes with the next sweep, and its link at once. */
export const cancelExportRequest = (ctx: UserCtx, id: string): Promise<Receipt> =>
  tx(ctx, async (ctx) => {
    const row = await getOwn(ctx, 'export', id);
    await cancelExport.run(ctx.db, { id, now: ctx.clock.now() });
    ctx.db.afterCommit(() => {
      ctx.blobs
        .delete(archiveKey(id))
        .catch((err: unknown) => ctx.log.warn({ err }, 'an archive could not be deleted'));
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
    if (row.ended_at !== null) throw unavailable('This request has ended; there is nothing left to cancel.');
    await cancelDeletions.run(ctx.db, { userId: user.id, now: ctx.clock.now() });
    await recordCancelling(ctx, row);
    return { id, createdAt: row.created_at };
  });

/** An address that nobody has shown to be theirs may be somebody else's. */
const personOf = ({ id, email, isEmailVerified }: Account): Person => ({
  userId: id,
  email: isEmailVerified ? email.toLowerCase() : undefined,
});

/** Makes an archive. It may have been begun before: the same place is written again. */
export async function makeArchive(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const row = await findDataRequest.first(ctx.db, { id, kind: 'export' });
  if (!row || row.user_id === null || row.ended_at !== null) return;
  const account = await getAccount(ctx, row.user_id);
  const dueAt = ctx.clock.now() + ARCHIVE_LIFE;
  const progress = (status: DataRequestRow['status'], message: string, endedAt: number | null) =>
    tx(ctx, ({ db }) => saveProgress.run(db, { id, status, message, endedAt, dueAt }));
  await progress('InProgress', '', null);
  await ctx.blobs.put(archiveKey(id), archiveOf(ctx, personOf(account)), {
    type: 'application/zip',
    maxBytes: ARCHIVE_MAX,
  });
  const isWanted = await progress('Completed', 'The archive is ready.', ctx.clock.now());
  if (isWanted === 0) await ctx.blobs.delete(archiveKey(id));
}

/** Deletes an account and what is about its person, or says why that cannot be done. */
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
        await erasePersonalRows(ctx.db, table, personal, personOf(account), alias);
      }
      await end(ctx, 'Completed', 'The account is deleted, with everything about its person.');
    });
  } catch (err) {
    if (!(err instanceof Failure && err.code === 'Conflict')) throw err;
    await tx(ctx, async (ctx) => {
      await end(ctx, 'Failed', err.message);
      await sendMail(ctx, {
        to: account.email,
        subject: 'Your account on Mooring could not be deleted',
        text: `You asked for the account ${asWords(account.name)} on Mooring to be deleted. That could not be done, because others still
depend on it. This page says what to do first; then ask again.

${ctx.publicUrl()}/settings/data
`,
      });
    });
  }
}

const BATCH = 100;

/** Deletes the accounts whose day has come, archives that have expired, and old receipts. */
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
