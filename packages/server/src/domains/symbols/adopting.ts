import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { symbolsIndex } from './indexing.ts';
import { findSymbolUpload, insertSymbolUpload } from './symbol-uploads.store.ts';
import type { SymbolType } from './symbols.tables.ts';

/** A blob whose owner may delete it later. */
export interface MadeSymbols {
  appId: string;
  key: string;
  name: string;
  size: number;
  type: SymbolType;
  /** For a mapping: the version of the app that it belongs to. */
  version?: string;
  build?: string;
}

export const symbolsAdopt = defineJob<MadeSymbols & { id: string }>('symbols.adopt');

/** Indexes files that this server created like uploads, in the caller's transaction. */
export const adoptSymbols = (ctx: Ctx, made: MadeSymbols): Promise<unknown> =>
  enqueue(ctx, symbolsAdopt, { ...made, id: ctx.newId() });

/** Copies the file under its own key; a repeated run finds it there. */
export async function copyMade(
  ctx: Ctx,
  { id, appId, key, name, size, type, version = '', build = '' }: MadeSymbols & { id: string },
) {
  if (await findSymbolUpload.first(ctx.db, { id })) return;
  const made = await ctx.blobs.get(key);
  if (!made) return;
  const own = `symbols/${id}/sent`;
  await ctx.blobs.put(own, made.stream, { type: 'application/octet-stream', maxBytes: size });
  await tx(ctx, async (ctx) => {
    await insertSymbolUpload.run(ctx.db, {
      id,
      app_id: appId,
      type,
      status: 'committed',
      file_name: name,
      version,
      build,
      note: '',
      blob_key: own,
      size,
      created_at: ctx.clock.now(),
      user_id: null,
      sha1: null,
      is_mixed: 0,
      failed_at: null,
    });
    await enqueue(ctx, symbolsIndex, { uploadId: id });
  });
}
