import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SYMBOL_FILE_MAX_BYTES } from '@mooring/contract';
import { BlobTooLarge } from '../../../blobs/index.ts';
import type { AppCtx, Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { Failure, forbidden, notFound } from '../../../kernel/errors.ts';
import { checkDiskSpace, cleanFileName } from '../../../uploads/index.ts';
import { appSubject, findAppGrant, findAppRef, type OwnerAppsCtx } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { parseRelease } from '../../ingest/index.ts';
import { refuseOverQuota, storageLeft } from '../../usage/index.ts';
import { indexUpload } from '../indexing.ts';
import {
  deleteSymbolUploadRow,
  findSymbolUpload,
  insertSymbolUpload,
  listUploadsBySha1,
  updateSymbolUpload,
} from '../symbol-uploads.store.ts';
import { removeUpload } from '../symbol-uploads.ts';
import type { SymbolType, SymbolUploadsTable } from '../symbols.tables.ts';
import { expireChunks } from './chunks.store.ts';
import { type ChunkHolder, chunkKey, findChunks, getChunkHolder } from './chunks.ts';

/** A file that a tool sends in chunks. */
export interface ChunkedFile {
  sha1: string;
  name: string;
  chunks: readonly string[];
  type: SymbolType;
  /** In 32 digits, as the tool read it. */
  debugId?: string | undefined;
  version?: string;
  build?: string;
}

/**
 * Identifies a stored file. Tools send the same Dart symbol map for each architecture of an app, with another debug ID.
 */
const getKey = ({ sha1, name, debugId }: ChunkedFile): string =>
  debugId !== undefined && /\.(json|map)$/i.test(name) ? hash('sha1', `${sha1} ${debugId}`, 'hex') : sha1;

export type AssemblyState = 'not_found' | 'created' | 'assembling' | 'ok' | 'error';

export interface Assembly {
  state: AssemblyState;
  missing: string[];
  detail: string | null;
  /** Once it is stored. */
  upload: SymbolUploadsTable | undefined;
}

export const symbolsAssemble = defineJob<AssemblyInput>('symbols.assemble');

interface AssemblyInput {
  uploadId: string;
  holder: ChunkHolder;
  chunks: string[];
  /** Of the content, if the upload has another key. */
  sha1?: string | undefined;
  debugId?: string | undefined;
}

/** A tool asks every second; a later request for a rejected file is a new attempt. */
const REJECTED_MS = MINUTE;
/** Chunks that were assembled may be part of another file. */
const EXPIRY_AFTER_ASSEMBLY_MS = HOUR;
const BATCH = 500;

/** Its job has failed too often, so that nothing would happen to the file. */
const ABANDONED_MS = DAY;

const mayRestart = ({ status, failed_at, created_at }: SymbolUploadsTable, now: number): boolean =>
  status === 'failed'
    ? Number(failed_at ?? 0) < now - REJECTED_MS
    : status !== 'indexed' && Number(created_at) < now - ABANDONED_MS;

const toAssembly = (upload: SymbolUploadsTable): Assembly => {
  const { status, note, blob_key } = upload;
  const nothing = { missing: [], detail: null, upload: undefined };
  if (status === 'indexed') return { ...nothing, state: 'ok', upload };
  if (status === 'failed') return { ...nothing, state: 'error', detail: note };
  return { ...nothing, state: blob_key === '' ? 'created' : 'assembling' };
};

async function findUploads(ctx: AppCtx, sha1s: readonly string[]): Promise<Map<string, SymbolUploadsTable>> {
  const now = ctx.clock.now();
  const found = new Map<string, SymbolUploadsTable>();
  for (let at = 0; at < sha1s.length; at += BATCH) {
    const rows = await listUploadsBySha1.all(ctx.db, {
      appId: ctx.app.id,
      sha1s: JSON.stringify(sha1s.slice(at, at + BATCH)),
    });
    for (const row of rows) if (row.sha1 !== null && !mayRestart(row, now)) found.set(row.sha1, row);
    await setImmediate();
  }
  return found;
}

/** Stores files whose chunks have arrived, in the caller's transaction; a job assembles them. */
async function startAssembly(
  ctx: AppCtx,
  holder: ChunkHolder,
  files: readonly (ChunkedFile & { size: number })[],
): Promise<void> {
  await lock(ctx, 'symbols', ctx.app.id);
  const known = await findUploads(ctx, files.map(getKey));
  const now = ctx.clock.now();
  for (const file of files) {
    const { sha1, name, chunks, type, debugId, version = '', build = '', size } = file;
    const key = getKey(file);
    if (known.has(key)) continue;
    const earlier = await listUploadsBySha1.all(ctx.db, { appId: ctx.app.id, sha1s: JSON.stringify([key]) });
    for (const upload of earlier) await removeUpload(ctx, upload);
    const id = ctx.newId();
    await insertSymbolUpload.run(ctx.db, {
      id,
      app_id: ctx.app.id,
      type,
      status: 'committed',
      file_name: cleanFileName(name.slice(name.lastIndexOf('/') + 1)) ?? 'symbols',
      version,
      build,
      note: '',
      blob_key: '',
      size,
      created_at: now,
      user_id: ctx.actor.kind === 'user' ? ctx.actor.user.id : null,
      sha1: key,
      is_mixed: 1,
      failed_at: null,
    });
    const ofBinary = debugId === undefined ? {} : { sha1, debugId };
    await enqueue(ctx, symbolsAssemble, { uploadId: id, holder, chunks: [...chunks], ...ofBinary });
    await record(ctx, 'symbol_upload.create', appSubject(ctx.app), { after: { id, name, sha1, version, build } });
  }
}

const MAX_STARTED = 100;

/** Refuses files that may not be stored. A file may repeat a chunk, so it can be much larger than all that was sent. */
async function checkSizes(ctx: AppCtx, files: readonly { sha1: string; size: number }[]): Promise<void> {
  if (files.length === 0) return;
  await refuseOverQuota(ctx, 'storage_bytes');
  const maxBytes = Math.min(SYMBOL_FILE_MAX_BYTES, ctx.config.uploadLimitMb * 2 ** 20);
  const large = files.find(({ size }) => size > maxBytes);
  if (large) {
    throw new Failure(
      'PayloadTooLarge',
      `The file ${large.sha1} has ${large.size} bytes, more than the limit of ${maxBytes} bytes.`,
    );
  }
  const sum = files.reduce((sum, { size }) => sum + size, 0);
  const left = await storageLeft(ctx);
  if (sum > left) {
    throw forbidden(
      `These files have ${sum} bytes, and the quota of ${ctx.app.ownerName} has ${left} bytes left. Delete files, or ask an administrator to raise the quota.`,
    );
  }
  await checkDiskSpace(ctx, sum);
}

/** Starts to assemble files whose chunks have arrived. Returns the progress of each file. */
export async function assembleFiles(ctx: AppCtx, files: readonly ChunkedFile[]): Promise<Map<string, Assembly>> {
  const holder = getChunkHolder(ctx.app.ownerId, ctx.actor);
  const keys = files.map(getKey);
  const known = await findUploads(ctx, keys);
  const unknown = files.filter((file) => !known.has(getKey(file)));
  const sizes = await findChunks(ctx, holder, [...new Set(unknown.flatMap(({ chunks }) => chunks))]);
  const complete = unknown.flatMap((file) => {
    const each = file.chunks.map((sha1) => sizes.get(sha1) ?? Number.NaN);
    const size = each.reduce((sum, one) => sum + one, 0);
    return Number.isNaN(size) ? [] : [{ ...file, size }];
  });
  await checkSizes(ctx, complete);
  for (let at = 0; at < complete.length; at += MAX_STARTED) {
    await tx(ctx, (ctx) => startAssembly(ctx, holder, complete.slice(at, at + MAX_STARTED)));
  }
  const started = complete.length > 0 ? await findUploads(ctx, keys) : known;
  return new Map(
    files.map((file) => {
      const { sha1, chunks } = file;
      const upload = started.get(getKey(file));
      if (upload) return [sha1, toAssembly(upload)];
      const missing = [...new Set(chunks.filter((chunk) => !sizes.has(chunk)))];
      return [sha1, { state: 'not_found', missing, detail: null, upload: undefined }];
    }),
  );
}

const stateOrder: readonly AssemblyState[] = ['not_found', 'error', 'created', 'assembling', 'ok'];

/** Assembles an archive of source maps for several apps of one owner. */
export async function assembleBundle(
  ctx: OwnerAppsCtx,
  { sha1, chunks, projects, version, dist }: BundleToAssemble,
): Promise<Assembly> {
  const release = parseRelease(version, dist);
  const file: ChunkedFile = {
    sha1,
    name: 'source-maps.zip',
    chunks,
    type: 'JavaScript',
    version: release.version,
    build: release.build,
  };
  const grants = [];
  for (const name of new Set(projects)) {
    const grant = await findAppGrant(ctx, ctx.actor, ctx.owner.name, name);
    if (!grant) throw notFound('app', `${ctx.owner.name}/${name}`);
    if (!['developer', 'manager'].includes(grant.permission)) {
      throw forbidden(
        `This requires developer permission on ${ctx.owner.name}/${grant.app.name}; you have ${grant.permission}.`,
      );
    }
    grants.push(grant);
  }
  const assemblies: Assembly[] = [];
  for (const grant of grants) {
    const own = (await assembleFiles({ ...ctx, ...grant }, [file])).get(sha1);
    if (own) assemblies.push(own);
  }
  const [first] = assemblies.sort((one, other) => stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state));
  if (!first) throw notFound('app');
  return first;
}

export interface BundleToAssemble {
  sha1: string;
  chunks: readonly string[];
  projects: readonly string[];
  version: string | undefined;
  dist: string | undefined;
}

class ChunkGone extends Error {}
class OtherContent extends Error {}

async function* joined(ctx: Ctx, holder: ChunkHolder, chunks: readonly string[], sha1: string) {
  const sum = createHash('sha1');
  for (const chunk of chunks) {
    const blob = await ctx.blobs.get(chunkKey(holder, chunk));
    if (!blob) throw new ChunkGone();
    for await (const part of blob.stream as AsyncIterable<Buffer>) {
      sum.update(part);
      yield part;
    }
  }
  const found = sum.digest('hex');
  if (found !== sha1) throw new OtherContent(`The chunks together have the SHA-1 ${found} instead of ${sha1}.`);
}

/** Joins the chunks of a file and indexes it. A repeated run does the same again. */
export async function assembleUpload(
  ctx: Ctx,
  { uploadId, holder, chunks, sha1, debugId }: AssemblyInput,
): Promise<void> {
  const upload = await findSymbolUpload.first(ctx.db, { id: uploadId });
  if (!upload || !['committed', 'processing'].includes(upload.status)) return;
  // The app was deleted meanwhile; the sweep deletes the row.
  if (!(await findAppRef(ctx, upload.app_id))) return;
  if (upload.blob_key === '') {
    const key = `symbols/${uploadId}/sent`;
    try {
      const content = joined(ctx, holder, chunks, sha1 ?? upload.sha1 ?? '');
      const options = { type: 'application/octet-stream', maxBytes: SYMBOL_FILE_MAX_BYTES };
      const { size } = await ctx.blobs.put(key, content, options);
      await tx(ctx, ({ db }) => updateSymbolUpload.run(db, { id: uploadId, blob_key: key, size }));
    } catch (error) {
      // The next request of the tool learns that the chunks are missing, and the tool sends them again.
      if (error instanceof ChunkGone) {
        return tx(ctx, async ({ db, clock }) => {
          await expireChunks.run(db, { ...holder, sha1s: JSON.stringify(chunks), expiresAt: clock.now() });
          await deleteSymbolUploadRow.run(db, { id: uploadId });
        });
      }
      if (!(error instanceof OtherContent || error instanceof BlobTooLarge)) throw error;
      const failed = { id: uploadId, status: 'failed' as const, note: error.message, failed_at: ctx.clock.now() };
      return void (await tx(ctx, ({ db }) => updateSymbolUpload.run(db, failed)));
    }
  }
  await indexUpload(ctx, uploadId, { debugId });
  const expiresAt = ctx.clock.now() + EXPIRY_AFTER_ASSEMBLY_MS;
  await tx(ctx, ({ db }) => expireChunks.run(db, { ...holder, sha1s: JSON.stringify(chunks), expiresAt }));
}
