import { Readable } from 'node:stream';
import type { AppCtx, Ctx, Sender } from '../../context.ts';
import { eachRow } from '../../db/each-row.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { forgetSender } from '../ingest/index.ts';
import {
  changeSenderRequest,
  countOpenRequests,
  deleteSenderRequest,
  endDownload,
  findSenderRequest,
  insertSenderRequest,
  listEndedSenderRequests,
  listExportsOfSender,
  listOpenDeletions,
  listSenderRequests,
  markExpired,
  type SenderRequestRow,
} from './sender-requests.store.ts';

export const senderExport = defineJob<{ id: string }>('sender_request.export');
export const senderRequestsFollow = defineSchedule('sender_request.follow', MINUTE);

const OPEN_AT_ONCE = 100;
const SHOWN = 100;
const BATCH = 100;
const FILE_LIFE = 7 * DAY;
const KEPT = 90 * DAY;
const FILE_MAX = 16 * 1024 ** 3;

const fileKey = (id: string): string => `sender-requests/${id}`;
const senderOf = (row: SenderRequestRow): Sender => ({
  appId: row.app_id,
  kind: row.sender_kind,
  value: row.sender_value,
});

export interface SenderRequest {
  row: SenderRequestRow;
  /** For whoever may have all of it. */
  link: string | undefined;
}

function toRequest(ctx: AppCtx, row: SenderRequestRow): SenderRequest {
  const isThere = row.kind === 'export' && row.status === 'Completed' && row.due_at > ctx.clock.now();
  // Whoever has the link has all of it: more than a Read-Only token is for.
  const isShown = isThere && ctx.actor.reach === 'all';
  const name = `${row.sender_kind}-${row.id}.jsonl`;
  const link = isShown ? downloadLink(ctx, { key: fileKey(row.id), name }, { expiresAt: row.due_at }) : undefined;
  return { row, link };
}

export interface SenderRequestInput {
  kind: 'export' | 'delete';
  installId: string | undefined;
  userId: string | undefined;
}

/** Who was asked about is not in the audit log: that would outlive the deletion. */
export const requestForSender = (
  ctx: AppCtx,
  { kind, installId, userId }: SenderRequestInput,
): Promise<SenderRequest> => {
  if ((installId === undefined) === (userId === undefined)) {
    throw badRequest('Give install_id or user_id, and not both.');
  }
  const sender: Sender = {
    appId: ctx.app.id,
    kind: installId === undefined ? 'user' : 'install',
    value: installId?.toLowerCase() ?? userId ?? '',
  };
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `sender-requests ${ctx.app.id}`);
    const open = await countOpenRequests.first(ctx.db, { appId: ctx.app.id });
    if (Number(open?.count ?? 0) >= OPEN_AT_ONCE) {
      throw conflict(`${OPEN_AT_ONCE} requests of this app are still being worked on; wait until some have ended.`);
    }
    const row: SenderRequestRow = {
      id: ctx.newId(),
      app_id: ctx.app.id,
      kind,
      sender_kind: sender.kind,
      sender_value: sender.value,
      status: 'Created',
      message: '',
      record_count: 0,
      left_count: 0,
      created_at: ctx.clock.now(),
      due_at: ctx.clock.now() + FILE_LIFE,
      ended_at: null,
    };
    await insertSenderRequest.run(ctx.db, row);
    if (kind === 'export') await enqueue(ctx, senderExport, { id: row.id });
    else await forgetSender(ctx, sender);
    await record(ctx, 'sender_request.create', appSubject(ctx.app), { after: { kind, of: sender.kind } });
    return toRequest(ctx, row);
  });
};

export async function getSenderRequest(ctx: AppCtx, id: string): Promise<SenderRequest> {
  const row = await findSenderRequest.first(ctx.db, { id });
  if (row?.app_id !== ctx.app.id) throw notFound('request', id);
  return toRequest(ctx, row);
}

export const listRequestsOfApp = async (ctx: AppCtx): Promise<SenderRequest[]> =>
  (await listSenderRequests.all(ctx.db, { appId: ctx.app.id, limit: SHOWN })).map((row) => toRequest(ctx, row));

/** Writes all that is kept of a sender. It may have been begun before: the same file is written again. */
export async function exportSender(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const row = await findSenderRequest.first(ctx.db, { id });
  if (row?.kind !== 'export' || row.ended_at !== null) return;
  await tx(ctx, ({ db }) => changeSenderRequest(db, id, { status: 'InProgress' }));
  let count = 0;
  const lines = async function* () {
    for (const { name, read } of ctx.senderRecords) {
      for await (const each of read(ctx, senderOf(row))) {
        count += 1;
        yield Buffer.from(`${JSON.stringify({ source: name, ...each })}\n`);
      }
    }
  };
  const content = Readable.from(lines(), { objectMode: false });
  await ctx.blobs.put(fileKey(id), content, { type: 'application/x-ndjson', maxBytes: FILE_MAX });
  const now = ctx.clock.now();
  const ended = { status: 'Completed', message: 'The export is ready.', record_count: count, ended_at: now } as const;
  const kept = await tx(ctx, ({ db }) => changeSenderRequest(db, id, { ...ended, due_at: now + FILE_LIFE }));
  if (kept.length === 0) await ctx.blobs.delete(fileKey(id));
}

/** Copies that were made before hold what is deleted, and whose it was. */
async function deleteCopies(ctx: Ctx, sender: Sender): Promise<void> {
  for (const { id } of await listExportsOfSender.all(ctx.db, sender)) {
    await tx(ctx, async ({ db, clock }) => {
      const now = clock.now();
      // One that is being made is thrown away once it is.
      const message = 'What was to be exported was deleted meanwhile.';
      await changeSenderRequest(db, id, { status: 'Failed', message, ended_at: now });
      await endDownload.run(db, { id, now });
    });
    await ctx.blobs.delete(fileKey(id));
    await tx(ctx, ({ db }) => markExpired.run(db, { id }));
  }
}

/** Looks for what is left everywhere; only when there is nothing has it ended, and the id is forgotten too. */
async function followDeletion(ctx: Ctx, row: SenderRequestRow): Promise<void> {
  const sender = senderOf(row);
  let left = 0;
  for (const { countLeft } of ctx.senderRecords) left += await countLeft(ctx, sender, row.created_at);
  if (left > 0) {
    const message = 'It counts nowhere any more. Files and requests as they came are being written anew or deleted.';
    await tx(ctx, ({ db }) => changeSenderRequest(db, row.id, { status: 'InProgress', message, left_count: left }));
    return;
  }
  await deleteCopies(ctx, sender);
  let since = 0;
  for (const { read } of ctx.senderRecords) for await (const _ of read(ctx, sender)) since += 1;
  const message =
    since === 0
      ? 'Nothing is left: a search finds nothing.'
      : `Nothing is left of what came before; a search finds ${since} records that came since.`;
  const ended = { status: 'Completed', message, left_count: 0, sender_value: '', ended_at: ctx.clock.now() } as const;
  await tx(ctx, ({ db }) => changeSenderRequest(db, row.id, ended));
}

export async function followSenderRequests(ctx: Ctx): Promise<void> {
  for await (const row of eachRow(
    (page) => listOpenDeletions.all(ctx.db, page),
    ({ id }) => id,
  )) {
    await followDeletion(ctx, row).catch((err: unknown) =>
      ctx.log.error({ err, request: row.id }, 'a deletion could not be followed'),
    );
  }
  const now = ctx.clock.now();
  for (;;) {
    const rows = await listEndedSenderRequests.all(ctx.db, { now, old: now - KEPT, limit: BATCH });
    for (const { id, kind, ended_at } of rows) {
      if (kind === 'export') await ctx.blobs.delete(fileKey(id));
      const isOld = ended_at !== null && ended_at < now - KEPT;
      await tx(ctx, ({ db }) => (isOld ? deleteSenderRequest : markExpired).run(db, { id }));
    }
    if (rows.length < BATCH) return;
  }
}
