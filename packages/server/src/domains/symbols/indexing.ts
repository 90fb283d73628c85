import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue, publish } from '../../jobs/index.ts';
import { roomLeft } from '../../uploads/index.ts';
import { WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { ZipLimits } from '../../workers/zip.ts';
import { getAppRef } from '../apps/index.ts';
import { storageLeft } from '../usage/index.ts';
import { archiveLimits, type Collected, type CollectedSymbols } from './formats/collect.ts';
import { read } from './reading.ts';
import { copyBlob, dropLocalFile, pack, packedKey, withWorkFolder } from './symbol-files.ts';
import { findSymbolUpload, lockSymbolUpload, updateSymbolUpload } from './symbol-uploads.store.ts';
import { symbolsIndexed } from './symbols.events.ts';
import { deleteAliases, findBlobKey, insertAlias, isBlobUsed, upsertSymbol } from './symbols.store.ts';
import type { SymbolUploadsTable } from './symbols.tables.ts';
import { versionId } from './version-id.ts';

export const symbolsIndex = defineJob<{ uploadId: string }>('symbols.index');
export const symbolsDiscard = defineJob<{ keys: string[] }>('symbols.discard');

const LONGEST_NOTE = 4_000;
/** Symbols that one transaction writes. */
const MAX_WRITTEN = 100;

/** Blobs that no symbols refer to any more. */
export async function discardBlobs(ctx: Ctx, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    if (await isBlobUsed.first(ctx.db, { key })) continue;
    await ctx.blobs.delete(key);
    await dropLocalFile(ctx, key);
  }
}

const noteOf = ({ passedOver }: Collected): string =>
  passedOver
    .map(({ name, reason }) => `${name}: ${reason}`)
    .join('\n')
    .slice(0, LONGEST_NOTE);

/** Finds out what an upload holds. A second run does no harm: what it finds is the same, under the same keys. */
export async function indexUpload(ctx: Ctx, uploadId: string, signal?: AbortSignal): Promise<void> {
  const upload = await findSymbolUpload.first(ctx.db, { id: uploadId });
  if (!upload || !['committed', 'processing'].includes(upload.status)) return;
  await tx(ctx, ({ db }) => updateSymbolUpload.run(db, { id: uploadId, status: 'processing' }));
  try {
    await withWorkFolder(ctx, async (folder) => {
      const file = path.join(folder, 'upload');
      if (!(await copyBlob(ctx, upload.blob_key, file))) throw new Unreadable('The file is gone; send it again.');
      const { type } = upload;
      const limits = await findRoom(ctx, upload);
      const collected = await read(ctx, 'collect', { file, name: upload.file_name, type, folder, limits }, signal);
      if (sumSizes(collected) > limits.maxBytes) throw new Unreadable(limits.tooLarge ?? '');
      await keepSymbols(ctx, upload, collected);
    });
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    ctx.log.info({ uploadId, reason: error.message }, 'symbols were refused');
    const note = error.message.slice(0, LONGEST_NOTE);
    await tx(ctx, ({ db }) => updateSymbolUpload.run(db, { id: uploadId, status: 'failed', note }));
  }
}

/** Finds the maximum inflated size of an upload: the rest of the owner's quota, and the free space above the disk reserve. */
async function findRoom(ctx: Ctx, { app_id }: SymbolUploadsTable): Promise<ZipLimits> {
  const app = await getAppRef(ctx, app_id);
  const quota = Math.max(0, await storageLeft({ ...ctx, app }));
  const free = await roomLeft(ctx);
  const maxBytes = Math.min(archiveLimits.maxBytes, quota, free);
  const reason =
    maxBytes === quota
      ? `${app.ownerName} may keep ${quota} bytes more. Delete what is not needed, or ask an administrator for more.`
      : maxBytes === free
        ? 'The disk of this server has no room for them. Ask an administrator to free space, then upload the file again.'
        : `At most ${maxBytes} bytes are taken.`;
  return { ...archiveLimits, maxBytes, tooLarge: `The symbols in this upload take too much. ${reason}` };
}

const sumSizes = ({ symbols }: Collected): number =>
  new Map(symbols.map(({ file, size }) => [file, size])).values().reduce((sum, size) => sum + size, 0);

async function keepSymbols(ctx: Ctx, upload: SymbolUploadsTable, collected: Collected): Promise<void> {
  const keys = new Map<string, string>();
  for (const { file, size } of collected.symbols) {
    if (keys.has(file)) continue;
    const key = packedKey(`symbols/${upload.id}/${keys.size}`);
    // Compressing may make a little more of what cannot be compressed.
    const maxBytes = size + size / 8 + 1024;
    await ctx.blobs.put(key, pack(createReadStream(file)), { type: 'application/zstd', maxBytes });
    keys.set(file, key);
  }
  const lock = (ctx: Ctx) => lockSymbolUpload.first(ctx.db, { id: upload.id, appId: upload.app_id });
  // In small transactions, between which others write. A job that is killed does all of it again.
  for (let at = 0; at < collected.symbols.length; at += MAX_WRITTEN) {
    const some = collected.symbols.slice(at, at + MAX_WRITTEN);
    const isKept = await tx(ctx, async (ctx) => {
      if (!(await lock(ctx))) return false;
      const replaced = new Set<string>();
      for (const found of some) {
        const symbols = ofVersion(upload, found);
        const before = await findBlobKey.first(ctx.db, { appId: upload.app_id, id: symbols.id });
        if (before) replaced.add(before.blob_key);
        await keepOne(ctx, upload, symbols, keys.get(symbols.file) ?? '');
      }
      for (const key of keys.values()) replaced.delete(key);
      if (replaced.size > 0) await enqueue(ctx, symbolsDiscard, { keys: [...replaced] });
      return true;
    });
    if (!isKept) break;
  }
  await tx(ctx, async (ctx) => {
    // It was deleted meanwhile.
    if (!(await lock(ctx))) return void (await enqueue(ctx, symbolsDiscard, { keys: [...keys.values()] }));
    await updateSymbolUpload.run(ctx.db, { id: upload.id, status: 'indexed', note: noteOf(collected) });
    const symbolIds = collected.symbols.flatMap(({ id, otherIds }) => [id, ...otherIds]);
    await publish(ctx, symbolsIndexed, { appId: upload.app_id, symbolIds: [...symbolIds, ...waitingIds(upload)] });
  });
}

async function keepOne(ctx: Ctx, upload: SymbolUploadsTable, symbols: CollectedSymbols, key: string): Promise<void> {
  const { app_id, type, version, build } = upload;
  const now = ctx.clock.now();
  const isMap = symbols.format === 'source-map';
  await upsertSymbol.run(ctx.db, {
    app_id,
    symbol_id: symbols.id,
    upload_id: upload.id,
    // Source maps that come with dSYMs are found as all others are.
    type: isMap ? 'JavaScript' : type,
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

/** Two versions may have the same mapping or map: each is found by its own, and both by what they hold. */
function ofVersion({ version, build }: SymbolUploadsTable, symbols: CollectedSymbols): CollectedSymbols {
  const isText = symbols.format === 'mapping' || symbols.format === 'source-map';
  if (!isText || version === '') return symbols;
  const id = createHash('sha256')
    .update(JSON.stringify([symbols.id, version, build]))
    .digest('hex')
    .slice(0, 32);
  return { ...symbols, id, otherIds: [symbols.id, ...symbols.otherIds] };
}

/** What reports of a version wait for that do not know an id. */
function waitingIds({ type, version, build }: SymbolUploadsTable): string[] {
  if (version === '') return [];
  if (type === 'AndroidProguard') return [versionId('AndroidProguard', version, build)];
  return type === 'JavaScript' || type === 'Apple' ? [versionId('JavaScript', version, build)] : [];
}
