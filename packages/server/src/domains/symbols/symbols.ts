import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findMissingRow } from './missing-symbols.store.ts';
import { symbolsIndexed } from './symbols.events.ts';
import {
  deleteIgnored,
  findSymbolRow,
  insertIgnored,
  listAliases,
  listIgnored,
  listSymbolRows,
} from './symbols.store.ts';
import type { SymbolsTable, SymbolType } from './symbols.tables.ts';

export interface KnownSymbols {
  id: string;
  type: SymbolType;
  name: string;
  arch: string;
  otherIds: string[];
  isIgnored: boolean;
  version: string;
  build: string;
  size: number;
  hasLines: boolean;
  createdAt: number;
  /** Empty if the symbols are missing. */
  uploadId: string;
  blobKey: string;
}

const toKnown = (row: SymbolsTable, otherIds: string[], isIgnored: boolean): KnownSymbols => ({
  id: row.symbol_id,
  type: row.type,
  name: row.name,
  arch: row.arch,
  otherIds,
  isIgnored,
  version: row.version,
  build: row.build,
  size: row.size,
  hasLines: row.has_lines === 1,
  createdAt: row.created_at,
  uploadId: row.upload_id,
  blobKey: row.blob_key,
});

async function withAliases(ctx: AppCtx, rows: readonly SymbolsTable[]): Promise<KnownSymbols[]> {
  const ids = rows.map(({ symbol_id }) => symbol_id);
  const found = ids.length === 0 ? [] : await listAliases(ctx.db, ctx.app.id, ids);
  const aliases = Map.groupBy(found, ({ symbol_id }) => symbol_id);
  const ignored = new Set((await listIgnored.all(ctx.db, { appId: ctx.app.id })).map(({ symbol_id }) => symbol_id));
  return rows.map((row) =>
    toKnown(
      row,
      (aliases.get(row.symbol_id) ?? []).map(({ alias }) => alias),
      ignored.has(row.symbol_id),
    ),
  );
}

export const listSymbols = async (ctx: AppCtx): Promise<KnownSymbols[]> =>
  withAliases(ctx, await listSymbolRows.all(ctx.db, { appId: ctx.app.id }));

/** Finds uploaded symbols, or missing ones that a report needs. */
async function findSymbols(ctx: AppCtx, id: string): Promise<KnownSymbols | undefined> {
  const row = await findSymbolRow.first(ctx.db, { appId: ctx.app.id, id });
  if (row) return (await withAliases(ctx, [row]))[0];
  const [missing] = await findMissingRow(ctx.db, ctx.app.id, id);
  if (!missing) return undefined;
  const { type, name, arch, version, build } = missing;
  const isIgnored = missing.ignored_at !== null;
  const absent = { otherIds: [], size: 0, hasLines: false, createdAt: missing.last_at, uploadId: '', blobKey: '' };
  return { id, type, name, arch, version, build, isIgnored, ...absent };
}

async function getKnown(ctx: AppCtx, id: string): Promise<KnownSymbols> {
  const found = await findSymbols(ctx, id);
  if (!found) throw notFound('symbols', id);
  return found;
}

/** Gets uploaded symbols. */
export async function getSymbols(ctx: AppCtx, id: string): Promise<KnownSymbols> {
  const found = await getKnown(ctx, id);
  if (found.uploadId === '' && !found.isIgnored) throw notFound('symbols', id);
  return found;
}

export type SymbolStatus = 'available' | 'ignored' | 'missing';

export async function getSymbolStatus(ctx: AppCtx, id: string): Promise<SymbolStatus> {
  const found = await findSymbols(ctx, id);
  if (!found) throw notFound('symbols', id);
  if (found.isIgnored) return 'ignored';
  return found.uploadId === '' ? 'missing' : 'available';
}

/** Marks symbols as ignored, so that they are not reported as missing. */
export const ignoreSymbols = (ctx: AppCtx, id: string): Promise<KnownSymbols> =>
  tx(ctx, async (ctx) => {
    const found = await getKnown(ctx, id);
    if (!found.isIgnored) {
      await insertIgnored.run(ctx.db, { app_id: ctx.app.id, symbol_id: id, at: ctx.clock.now() });
      await record(ctx, 'symbol.ignore', appSubject(ctx.app), { after: { symbol_id: id, name: found.name } });
    }
    return { ...found, isIgnored: true };
  });

/** Stops ignoring symbols, and processes reports that need them again, in case they were uploaded. */
export const unignoreSymbols = (ctx: AppCtx, id: string): Promise<KnownSymbols> =>
  tx(ctx, async (ctx) => {
    const found = await getKnown(ctx, id);
    if (found.isIgnored) {
      await deleteIgnored.run(ctx.db, { appId: ctx.app.id, id });
      await record(ctx, 'symbol.unignore', appSubject(ctx.app), { before: { symbol_id: id, name: found.name } });
      await publish(ctx, symbolsIndexed, { appId: ctx.app.id, symbolIds: [id, ...found.otherIds] });
    }
    return { ...found, isIgnored: false };
  });

export async function linkSymbols(ctx: AppCtx, id: string): Promise<string> {
  const { blobKey, name } = await getSymbols(ctx, id);
  if (blobKey === '') throw notFound('file of the symbols', id);
  return downloadLink(ctx, { key: blobKey, name: name.replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'symbols' });
}
