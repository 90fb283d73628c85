import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue, publish } from '../../jobs/index.ts';
import { getFreeBytes } from '../../uploads/index.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { ZipLimits } from '../../workers/zip.ts';
import { getAppRef } from '../apps/index.ts';
import { storageLeft } from '../usage/index.ts';
import { archiveLimits, type Collected, type CollectedSymbols, getSymbolType } from './formats/collect.ts';
import { read } from './reading.ts';
import { copyBlob, dropLocalFile, pack, packedKey, withWorkFolder } from './symbol-files.ts';
import { findSymbolUpload, lockSymbolUpload, updateSymbolUpload } from './symbol-uploads.store.ts';
import { symbolsIndexed } from './symbols.events.ts';
import { deleteAliases, findBlobKey, insertAlias, isBlobUsed, upsertSymbol } from './symbols.store.ts';
import type { SymbolUploadsTable } from './symbols.tables.ts';
import { versionId } from './version-id.ts';

export const symbolsIndex = defineJob<{ uploadId: string }>('symbols.index');
export const symbolsDiscard = defineJob<{ keys: string[] }>('symbols.discard');

const MAX_NOTE_LENGTH = 4_000;
/** Symbols per transaction. */
const MAX_WRITTEN = 100;

/** Deletes blobs that no symbols refer to. */
export async function discardBlobs(ctx: Ctx, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    if (await isBlobUsed.first(ctx.db, { key })) continue;
    await ctx.blobs.delete(key);
    await dropLocalFile(ctx, key);
  }
}

const formatNote = ({ passedOver }: Collected): string =>
  passedOver
    .map(({ name, reason }) => `${name}: ${reason}`)
    .join('\n')
    .slice(0, MAX_NOTE_LENGTH);

/** Indexes the symbols in an upload. A repeated run produces the same symbols under the same keys. */
export async function indexUpload(
  ctx: Ctx,
  uploadId: string,
  { signal, debugId }: { signal?: AbortSignal; debugId?: string | undefined } = {},
): Promise<void> {
  const upload = await findSymbolUpload.first(ctx.db, { id: uploadId });
  if (!upload || !['committed', 'processing'].includes(upload.status)) return;
  await tx(ctx, ({ db }) => updateSymbolUpload.run(db, { id: uploadId, status: 'processing' }));
  try {
    await withWorkFolder(ctx, async (folder) => {
      const file = path.join(folder, 'upload');
      if (!(await copyBlob(ctx, upload.blob_key, file)))
        throw new Unreadable('The uploaded file no longer exists. Upload it again.');
      const { type } = upload;
      const isMixed = upload.is_mixed === 1;
      const limits = await getZipLimits(ctx, upload);
      const collected = await read(
        ctx,
        'collect',
        { file, name: upload.file_name, type, isMixed, debugId, folder, limits },
        signal,
      );
      if (sumSizes(collected) > limits.maxBytes) throw new Unreadable(limits.tooLarge ?? '');
      await saveSymbols(ctx, upload, collected);
    });
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    ctx.log.info({ uploadId, reason: error.message }, 'symbols rejected');
    const note = error.message.slice(0, MAX_NOTE_LENGTH);
    const failed = { id: uploadId, status: 'failed' as const, note, failed_at: ctx.clock.now() };
    await tx(ctx, ({ db }) => updateSymbolUpload.run(db, failed));
  }
}

/**
 * Finds the maximum expanded size of an upload: the rest of the owner's quota, and the free space above the disk reserve.
 */
async function getZipLimits(ctx: Ctx, { app_id }: SymbolUploadsTable): Promise<ZipLimits> {
  const app = await getAppRef(ctx, app_id);
  const quota = Math.max(0, await storageLeft({ ...ctx, app }));
  const free = await getFreeBytes(ctx);
  const maxBytes = Math.min(archiveLimits.maxBytes, quota, free);
  const reason =
    maxBytes === quota
      ? `The quota of ${app.ownerName} has ${quota} bytes left. Delete files, or ask an administrator to raise the quota.`
      : maxBytes === free
        ? 'The disk of this server is too full for them. Ask an administrator to free space, then upload the file again.'
        : `The maximum is ${maxBytes} bytes.`;
  return { ...archiveLimits, maxBytes, tooLarge: `The symbols in this upload are too large. ${reason}` };
}

const sumSizes = ({ symbols }: Collected): number =>
  new Map(symbols.map(({ file, size }) => [file, size])).values().reduce((sum, size) => sum + size, 0);

async function saveSymbols(ctx: Ctx, upload: SymbolUploadsTable, collected: Collected): Promise<void> {
  const keys = new Map<string, string>();
  for (const { file, size } of collected.symbols) {
    if (keys.has(file)) continue;
    const key = packedKey(`symbols/${upload.id}/${keys.size}`);
    // Compressed data can be slightly larger than incompressible input.
    const maxBytes = size + size / 8 + 1024;
    await ctx.blobs.put(key, pack(createReadStream(file)), { type: 'application/zstd', maxBytes });
    keys.set(file, key);
  }
  const stored = new Set<string>();
  const lock = (ctx: Ctx) => lockSymbolUpload.first(ctx.db, { id: upload.id, appId: upload.app_id });
  // Small transactions, so that other writers get a turn. A killed job starts over.
  for (let at = 0; at < collected.symbols.length; at += MAX_WRITTEN) {
    const some = collected.symbols.slice(at, at + MAX_WRITTEN);
    const isSaved = await tx(ctx, async (ctx) => {
      if (!(await lock(ctx))) return false;
      const replaced = new Set<string>();
      for (const found of some) {
        const symbols = ofVersion(upload, found);
        const before = await findBlobKey.first(ctx.db, { appId: upload.app_id, id: symbols.id });
        // The stripped library of a build has the same ID as the one with its lines.
        const isPoorer = before?.has_lines === 1 && !symbols.hasLines && before.upload_id !== upload.id;
        if (isPoorer) continue;
        if (before) replaced.add(before.blob_key);
        stored.add(symbols.file);
        await saveOne(ctx, upload, symbols, keys.get(symbols.file) ?? '');
      }
      for (const key of keys.values()) replaced.delete(key);
      if (replaced.size > 0) await enqueue(ctx, symbolsDiscard, { keys: [...replaced] });
      return true;
    });
    if (!isSaved) break;
  }
  await tx(ctx, async (ctx) => {
    // The upload was deleted meanwhile.
    if (!(await lock(ctx))) return void (await enqueue(ctx, symbolsDiscard, { keys: [...keys.values()] }));
    await updateSymbolUpload.run(ctx.db, { id: upload.id, status: 'indexed', note: formatNote(collected) });
    const unused = [...keys].flatMap(([file, key]) => (stored.has(file) ? [] : [key]));
    if (unused.length > 0) await enqueue(ctx, symbolsDiscard, { keys: unused });
    const symbolIds = collected.symbols.flatMap(({ id, otherIds }) => [id, ...otherIds]);
    await publish(ctx, symbolsIndexed, { appId: upload.app_id, symbolIds: [...symbolIds, ...waitingIds(upload)] });
  });
}

async function saveOne(ctx: Ctx, upload: SymbolUploadsTable, symbols: CollectedSymbols, key: string): Promise<void> {
  const { app_id, type, version, build } = upload;
  const now = ctx.clock.now();
  await upsertSymbol.run(ctx.db, {
    app_id,
    symbol_id: symbols.id,
    upload_id: upload.id,
    // Source maps in dSYM uploads are found like all others.
    type: getSymbolType(symbols.format, type),
    format: symbols.format,
    name: symbols.name.slice(0, 500),
    arch: symbols.arch,
    text_address: symbols.textAddress,
    version,
    build,
    blob_key: key,
    size: symbols.size,
    has_lines: symbols.hasLines ? 1 : 0,
    created_at: now,
    used_at: now,
  });
  await deleteAliases.run(ctx.db, { appId: app_id, id: symbols.id });
  for (const alias of symbols.otherIds) await insertAlias.run(ctx.db, { app_id, alias, symbol_id: symbols.id });
}

/** Two versions may share a mapping or source map: each is found by its version, and both by their content. */
function ofVersion({ version, build }: SymbolUploadsTable, symbols: CollectedSymbols): CollectedSymbols {
  const isText = symbols.format === 'mapping' || symbols.format === 'source-map';
  if (!isText || version === '') return symbols;
  const id = createHash('sha256')
    .update(JSON.stringify([symbols.id, version, build]))
    .digest('hex')
    .slice(0, 32);
  return { ...symbols, id, otherIds: [symbols.id, ...symbols.otherIds] };
}

/** IDs for reports of a version that contain no ID of the file. */
function waitingIds({ type, version, build }: SymbolUploadsTable): string[] {
  if (version === '') return [];
  if (type === 'AndroidProguard') return [versionId('AndroidProguard', version, build)];
  return type === 'JavaScript' || type === 'Apple' ? [versionId('JavaScript', version, build)] : [];
}
