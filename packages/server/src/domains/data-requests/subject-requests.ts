import { Readable } from 'node:stream';
import type { AppCtx, Ctx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { eachRow } from '../../db/rows/each-row.ts';
import { tx } from '../../db/tx.ts';
import { type DataSubject, subjectRecords } from '../../extensions/subject-records.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { eraseDataSubject } from '../ingest/index.ts';
import {
  countOpenRequests,
  deleteSubjectRequest,
  endDownload,
  findSubjectRequest,
  insertSubjectRequest,
  listEndedSubjectRequests,
  listOpenDeletions,
  listSubjectExports,
  listSubjectRequests,
  markExpired,
  type SubjectRequestRow,
  updateSubjectRequest,
} from './subject-requests.store.ts';

export const subjectExport = defineJob<{ id: string }>('sender_request.export');
export const subjectRequestsFollow = defineSchedule('sender_request.follow', MINUTE);

const OPEN_AT_ONCE = 100;
const MAX_LISTED = 100;
const BATCH = 100;
const FILE_LIFE = 7 * DAY;
const REQUEST_RETENTION = 90 * DAY;
const FILE_MAX = 16 * 1024 ** 3;

const fileKey = (id: string): string => `sender-requests/${id}`;
const toDataSubject = (row: SubjectRequestRow): DataSubject => ({
  appId: row.app_id,
  kind: row.sender_kind,
  value: row.sender_value,
});

export interface SubjectRequest {
  row: SubjectRequestRow;
  /** Only for callers who may download everything. */
  link: string | undefined;
}

function toRequest(ctx: AppCtx, row: SubjectRequestRow): SubjectRequest {
  const isThere = row.kind === 'export' && row.status === 'Completed' && row.due_at > ctx.clock.now();
  // The link exposes all data, which exceeds the rights of a Read-Only token.
  const isShown = isThere && ctx.actor.tokenScope === 'all';
  const name = `${row.sender_kind}-${row.id}.jsonl`;
  const link = isShown ? downloadLink(ctx, { key: fileKey(row.id), name }, { expiresAt: row.due_at }) : undefined;
  return { row, link };
}

export interface SubjectRequestInput {
  kind: 'export' | 'delete';
  installId: string | undefined;
  userId: string | undefined;
}

/** The audit log does not name the subject, because it outlives the erasure. */
export const createSubjectRequest = (
  ctx: AppCtx,
  { kind, installId, userId }: SubjectRequestInput,
): Promise<SubjectRequest> => {
  if ((installId === undefined) === (userId === undefined)) {
    throw badRequest('Send either install_id or user_id.');
  }
  const subject: DataSubject = {
    appId: ctx.app.id,
    kind: installId === undefined ? 'user' : 'install',
    value: installId?.toLowerCase() ?? userId ?? '',
  };
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `sender-requests ${ctx.app.id}`);
    const open = await countOpenRequests.first(ctx.db, { appId: ctx.app.id });
    if (Number(open?.count ?? 0) >= OPEN_AT_ONCE) {
      throw conflict(`This app already has ${OPEN_AT_ONCE} open requests. Retry after some of them have finished.`);
    }
    const row: SubjectRequestRow = {
      id: ctx.newId(),
      app_id: ctx.app.id,
      kind,
      sender_kind: subject.kind,
      sender_value: subject.value,
      status: 'Created',
      message: '',
      record_count: 0,
      left_count: 0,
      created_at: ctx.clock.now(),
      due_at: ctx.clock.now() + FILE_LIFE,
      ended_at: null,
    };
    await insertSubjectRequest.run(ctx.db, row);
    if (kind === 'export') await enqueue(ctx, subjectExport, { id: row.id });
    else await eraseDataSubject(ctx, subject);
    await record(ctx, 'sender_request.create', appSubject(ctx.app), { after: { kind, of: subject.kind } });
    return toRequest(ctx, row);
  });
};

export async function getSubjectRequest(ctx: AppCtx, id: string): Promise<SubjectRequest> {
  const row = await findSubjectRequest.first(ctx.db, { id });
  if (row?.app_id !== ctx.app.id) throw notFound('request', id);
  return toRequest(ctx, row);
}

export const listAppRequests = async (ctx: AppCtx): Promise<SubjectRequest[]> =>
  (await listSubjectRequests.all(ctx.db, { appId: ctx.app.id, limit: MAX_LISTED })).map((row) => toRequest(ctx, row));

/** Exports all records of a data subject. Repeating it writes the same file. */
export async function exportSubject(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const row = await findSubjectRequest.first(ctx.db, { id });
  if (row?.kind !== 'export' || row.ended_at !== null) return;
  await tx(ctx, ({ db }) => updateSubjectRequest(db, id, { status: 'InProgress' }));
  let count = 0;
  const lines = async function* () {
    for (const { name, read } of subjectRecords.list(ctx)) {
      for await (const each of read(ctx, toDataSubject(row))) {
        count += 1;
        yield Buffer.from(`${JSON.stringify({ source: name, ...each })}\n`);
      }
    }
  };
  const content = Readable.from(lines(), { objectMode: false });
  await ctx.blobs.put(fileKey(id), content, { type: 'application/x-ndjson', maxBytes: FILE_MAX });
  const now = ctx.clock.now();
  const ended = { status: 'Completed', message: 'The export is ready.', record_count: count, ended_at: now } as const;
  const completed = await tx(ctx, ({ db }) => updateSubjectRequest(db, id, { ...ended, due_at: now + FILE_LIFE }));
  if (completed.length === 0) await ctx.blobs.delete(fileKey(id));
}

/** Deletes earlier exports, which contain the erased records and the subject's ID. */
async function deleteCopies(ctx: Ctx, subject: DataSubject): Promise<void> {
  for (const { id } of await listSubjectExports.all(ctx.db, subject)) {
    await tx(ctx, async ({ db, clock }) => {
      const now = clock.now();
      // A running export deletes its file when it finishes.
      const message = 'The records were deleted before the export finished.';
      await updateSubjectRequest(db, id, { status: 'Failed', message, ended_at: now });
      await endDownload.run(db, { id, now });
    });
    await ctx.blobs.delete(fileKey(id));
    await tx(ctx, ({ db }) => markExpired.run(db, { id }));
  }
}

/** Searches all domains for remaining records. When there are none, completes the request and erases the subject's ID. */
async function followDeletion(ctx: Ctx, row: SubjectRequestRow): Promise<void> {
  const subject = toDataSubject(row);
  let left = 0;
  for (const { countLeft } of subjectRecords.list(ctx)) left += await countLeft(ctx, subject, row.created_at);
  if (left > 0) {
    const message =
      'The records no longer appear in any statistics. Stored files and batches are being rewritten or deleted.';
    await tx(ctx, ({ db }) => updateSubjectRequest(db, row.id, { status: 'InProgress', message, left_count: left }));
    return;
  }
  await deleteCopies(ctx, subject);
  let since = 0;
  for (const { read } of subjectRecords.list(ctx)) for await (const _ of read(ctx, subject)) since += 1;
  const message =
    since === 0
      ? 'All records are deleted. A search finds none.'
      : `All records received before the request are deleted. A search finds ${since} newer ones.`;
  const ended = { status: 'Completed', message, left_count: 0, sender_value: '', ended_at: ctx.clock.now() } as const;
  await tx(ctx, ({ db }) => updateSubjectRequest(db, row.id, ended));
}

export async function followSubjectRequests(ctx: Ctx): Promise<void> {
  for await (const row of eachRow(
    (page) => listOpenDeletions.all(ctx.db, page),
    ({ id }) => id,
  )) {
    await followDeletion(ctx, row).catch((err: unknown) =>
      ctx.log.error({ err, request: row.id }, 'failed to check the progress of a deletion'),
    );
  }
  const now = ctx.clock.now();
  for (;;) {
    const rows = await listEndedSubjectRequests.all(ctx.db, { now, old: now - REQUEST_RETENTION, limit: BATCH });
    for (const { id, kind, ended_at } of rows) {
      if (kind === 'export') await ctx.blobs.delete(fileKey(id));
      const isOld = ended_at !== null && ended_at < now - REQUEST_RETENTION;
      await tx(ctx, ({ db }) => (isOld ? deleteSubjectRequest : markExpired).run(db, { id }));
    }
    if (rows.length < BATCH) return;
  }
}
