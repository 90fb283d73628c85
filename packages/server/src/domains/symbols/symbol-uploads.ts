import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import {
  beginUpload,
  cancelUpload,
  defineUploadPurpose,
  downloadLink,
  takeUpload,
  uploadAddresses,
} from '../../uploads/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { refuseOverQuota } from '../usage/index.ts';
import { indexUpload, symbolsDiscard, symbolsIndex } from './indexing.ts';
import { deleteEmptyGroups, deleteForDeletedApps, deleteSettledMissing } from './missing-symbols.store.ts';
import { sweepChunks } from './sentry-cli/chunks.ts';
import {
  deleteSymbolUploadRow,
  findSymbolUpload,
  forgetSha1,
  insertSymbolUpload,
  listAbandonedUploads,
  listOrphanUploads,
  listSymbolUploadRows,
  listUploadSymbols,
  lockSymbolUpload,
  type SymbolUploadRow,
  updateSymbolUpload,
} from './symbol-uploads.store.ts';
import { deleteAliases, deleteSymbolRow, deleteUploadSymbols, listUnusedSymbols } from './symbols.store.ts';
import type { SymbolType, SymbolUploadsTable, UploadStatus } from './symbols.tables.ts';

export const symbolFiles = defineUploadPurpose('symbols', { maxBytes: 2 * 2 ** 30 });
export const symbolsTidy = defineSchedule('symbols.tidy', HOUR);

export interface SymbolUpload {
  id: string;
  appId: string;
  user: { email: string; displayName: string } | undefined;
  status: UploadStatus;
  type: SymbolType;
  symbols: { id: string; arch: string; name: string }[];
  fileName: string;
  size: number;
  version: string;
  build: string;
  note: string;
  createdAt: number;
}

export interface NewSymbolUpload {
  type: SymbolType;
  fileName?: string | undefined;
  version?: string | undefined;
  build?: string | undefined;
}

const defaultNames: Readonly<Record<SymbolType, string>> = {
  Apple: 'symbols.zip',
  JavaScript: 'index.bundle.map',
  Breakpad: 'symbols.zip',
  AndroidProguard: 'mapping.txt',
  UWP: 'symbols.appxsym',
};

/** Starts an upload; returns the URL to send the file to. */
export const createSymbolUpload = (ctx: AppCtx, { type, fileName, version = '', build = '' }: NewSymbolUpload) =>
  tx(ctx, async (ctx) => {
    if (type === 'AndroidProguard' && (version === '' || build === '')) {
      throw badRequest(
        'A mapping belongs to one version and build of the app. Send both version (versionName) and build (versionCode).',
      );
    }
    await refuseOverQuota(ctx, 'storage_bytes');
    const name = fileName ?? defaultNames[type];
    const upload = await beginUpload(ctx, symbolFiles, { ownerId: ctx.app.id, fileName: name });
    await insertSymbolUpload.run(ctx.db, {
      id: upload.id,
      app_id: ctx.app.id,
      type,
      status: 'created',
      file_name: upload.fileName ?? name,
      version,
      build,
      note: '',
      blob_key: '',
      size: 0,
      created_at: ctx.clock.now(),
      user_id: ctx.actor.kind === 'user' ? ctx.actor.user.id : null,
      sha1: null,
      is_mixed: 0,
      failed_at: null,
    });
    await record(ctx, 'symbol_upload.create', appSubject(ctx.app), { after: { id: upload.id, type, version, build } });
    return { id: upload.id, uploadUrl: uploadAddresses(ctx, upload).blobUrl, expiresAt: upload.expiresAt };
  });

async function lockUpload(ctx: AppCtx, id: string): Promise<SymbolUploadsTable> {
  const upload = await lockSymbolUpload.first(ctx.db, { id, appId: ctx.app.id });
  if (!upload) throw notFound('symbol upload', id);
  return upload;
}

/** Larger files are only read by a job. */
const MAX_READ_WITH_COMMIT = 16 * 2 ** 20;
const COMMIT_READ_LIMIT_MS = 10 * SECOND;
/** Delay of the job for a file that the commit reads: it takes over if this process is killed. */
const JOB_DELAY_MS = 30 * SECOND;

/** Returns whether this request must read the file. Repeating a commit changes nothing. */
const commit = (ctx: AppCtx, id: string): Promise<boolean> =>
  tx(ctx, async (ctx) => {
    const { status } = await lockUpload(ctx, id);
    if (status === 'aborted') throw conflict('This upload was aborted. Start a new one.');
    if (status !== 'created') return false;
    const { key, size } = await takeUpload(ctx, symbolFiles, { id, ownerId: ctx.app.id });
    const isSmall = size <= MAX_READ_WITH_COMMIT;
    await updateSymbolUpload.run(ctx.db, { id, status: 'committed', blob_key: key, size });
    const runAt = ctx.clock.now() + (isSmall ? JOB_DELAY_MS : 0);
    await enqueue(ctx, symbolsIndex, { uploadId: id }, { runAt });
    await record(ctx, 'symbol_upload.commit', appSubject(ctx.app), { after: { id, size } });
    return isSmall;
  });

/**
 * Marks the file as complete. A small file is indexed before the response, so that clients which never poll learn of a
 * rejection.
 */
export async function commitSymbolUpload(ctx: AppCtx, id: string): Promise<SymbolUpload> {
  if (await commit(ctx, id)) {
    try {
      await indexUpload(ctx, id, { signal: AbortSignal.timeout(COMMIT_READ_LIMIT_MS) });
    } catch (error) {
      ctx.log.info({ err: error, uploadId: id }, 'symbols were not indexed during the commit; a job will index them');
      await tx(ctx, (ctx) => enqueue(ctx, symbolsIndex, { uploadId: id }));
    }
  }
  const upload = await getSymbolUpload(ctx, id);
  // Existing clients treat 400, 403 and 500 of this operation as success.
  if (upload.status === 'failed') throw conflict(`${upload.fileName} was rejected: ${upload.note}`);
  return upload;
}

export async function abortSymbolUpload(ctx: AppCtx, id: string): Promise<SymbolUpload> {
  const aborted = await tx(ctx, async (ctx) => {
    const { status } = await lockUpload(ctx, id);
    if (status !== 'created' && status !== 'aborted') {
      throw conflict('This upload is already committed. Delete it instead.');
    }
    await updateSymbolUpload.run(ctx.db, { id, status: 'aborted' });
    if (status === 'created') await record(ctx, 'symbol_upload.abort', appSubject(ctx.app), { after: { id } });
    return getSymbolUpload(ctx, id);
  });
  await cancelUpload(ctx, { id });
  return aborted;
}

async function toUploads(ctx: Ctx, rows: readonly SymbolUploadRow[]): Promise<SymbolUpload[]> {
  const ids = rows.map(({ id }) => id);
  const symbols = ids.length === 0 ? [] : await listUploadSymbols(ctx.db, ids);
  const byUpload = Map.groupBy(symbols, ({ upload_id }) => upload_id);
  return rows.map((row) => ({
    id: row.id,
    appId: row.app_id,
    user: row.email === null ? undefined : { email: row.email, displayName: row.display_name ?? '' },
    status: row.status,
    type: row.type,
    symbols: (byUpload.get(row.id) ?? []).map(({ symbol_id, arch, name }) => ({ id: symbol_id, arch, name })),
    fileName: row.file_name,
    size: row.size,
    version: row.version,
    build: row.build,
    note: row.note,
    createdAt: row.created_at,
  }));
}

/** Statuses for each filter value of the API. */
const statusesByFilter: Readonly<Record<'all' | 'uploaded' | 'processed', readonly UploadStatus[] | undefined>> = {
  all: undefined,
  uploaded: ['committed', 'processing'],
  processed: ['indexed', 'failed'],
};

export const listSymbolUploads = async (
  ctx: AppCtx,
  {
    top = 30,
    status = 'all',
    type,
  }: { top?: number | undefined; status?: keyof typeof statusesByFilter | undefined; type?: SymbolType | undefined },
): Promise<SymbolUpload[]> =>
  toUploads(
    ctx,
    await listSymbolUploadRows(ctx.db, { appId: ctx.app.id, type, statuses: statusesByFilter[status], limit: top }),
  );

export async function getSymbolUpload(ctx: AppCtx, id: string): Promise<SymbolUpload> {
  const [found] = await toUploads(ctx, await listSymbolUploadRows(ctx.db, { appId: ctx.app.id, id, limit: 1 }));
  if (!found) throw notFound('symbol upload', id);
  return found;
}

/** Deletes an upload and its symbols. */
export const deleteSymbolUpload = async (ctx: AppCtx, id: string): Promise<SymbolUpload> => {
  const deleted = await tx(ctx, async (ctx) => {
    const { blob_key, file_name } = await lockUpload(ctx, id);
    const upload = await getSymbolUpload(ctx, id);
    await removeUpload(ctx, { id, blob_key });
    await record(ctx, 'symbol_upload.delete', appSubject(ctx.app), { before: { id, file_name } });
    return upload;
  });
  await cancelUpload(ctx, { id });
  return deleted;
};

/** Deletes an upload with its symbols; a job deletes their files. */
export async function removeUpload(ctx: Ctx, { id, blob_key }: { id: string; blob_key: string }): Promise<void> {
  const symbols = await deleteUploadSymbols.all(ctx.db, { uploadId: id });
  for (const { app_id, symbol_id } of symbols) await deleteAliases.run(ctx.db, { appId: app_id, id: symbol_id });
  await deleteSymbolUploadRow.run(ctx.db, { id });
  const keys = [...new Set([blob_key, ...symbols.map(({ blob_key }) => blob_key)])].filter((key) => key !== '');
  if (keys.length > 0) await enqueue(ctx, symbolsDiscard, { keys });
}

/** Returns a download URL for the uploaded file. */
export async function linkSymbolUpload(ctx: AppCtx, id: string): Promise<string> {
  const upload = await findSymbolUpload.first(ctx.db, { id });
  if (upload?.app_id !== ctx.app.id) throw notFound('symbol upload', id);
  if (upload.blob_key === '') throw notFound('file of the symbol upload', id);
  return downloadLink(ctx, { key: upload.blob_key, name: upload.file_name });
}

const BATCH = 100;

/** Deletes data of deleted apps, abandoned uploads and chunks, and symbols that no report has needed for the retention time. */
export async function tidySymbols(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  await sweepChunks(ctx);
  for (let more = true; more; ) {
    more = await tx(ctx, async (ctx) => {
      const orphans = await listOrphanUploads.all(ctx.db, { limit: BATCH });
      for (const upload of orphans) await removeUpload(ctx, upload);
      const abandoned = await listAbandonedUploads.all(ctx.db, { before: now - 2 * DAY, limit: BATCH });
      for (const { id } of abandoned) await deleteSymbolUploadRow.run(ctx.db, { id });
      return orphans.length === BATCH || abandoned.length === BATCH;
    });
  }
  const { symbolsDays } = ctx.config;
  for (let more = symbolsDays > 0; more; ) {
    more = await tx(ctx, async (ctx) => {
      const unused = await listUnusedSymbols.all(ctx.db, { before: now - symbolsDays * DAY, limit: BATCH });
      for (const { app_id, symbol_id, upload_id } of unused) {
        await deleteSymbolRow.run(ctx.db, { appId: app_id, id: symbol_id });
        await deleteAliases.run(ctx.db, { appId: app_id, id: symbol_id });
        // A tool that has the file may send it again.
        await forgetSha1.run(ctx.db, { id: upload_id });
      }
      if (unused.length > 0)
        await enqueue(ctx, symbolsDiscard, { keys: [...new Set(unused.map(({ blob_key }) => blob_key))] });
      return unused.length === BATCH;
    });
  }
  await tx(ctx, async ({ db }) => {
    await deleteSettledMissing.run(db, { before: now - DAY });
    await deleteEmptyGroups.run(db);
    for (const statement of deleteForDeletedApps) await statement.run(db);
  });
}
