import type { AppCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { beginUpload, cleanFileName, type Incoming, receiveWholeFile, takeUpload } from '../../../uploads/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { refuseOverQuota } from '../../usage/index.ts';
import { indexUpload, symbolsIndex } from '../indexing.ts';
import { findSymbolUpload, insertSymbolUpload } from '../symbol-uploads.store.ts';
import { symbolFiles } from '../symbol-uploads.ts';
import { listUploadedSymbols } from '../symbols.store.ts';
import type { SymbolsTable, SymbolUploadsTable } from '../symbols.tables.ts';

/** A stored file, in the words of tools. */
export interface DebugFile {
  id: string;
  debugId: string;
  name: string;
  cpu: string;
  kind: string;
  sha1: string;
  size: number;
  isDebug: boolean;
  features: string[];
  createdAt: number;
}

const kinds: Readonly<Record<string, string>> = {
  'mach-o': 'macho',
  elf: 'elf',
  breakpad: 'breakpad',
  mapping: 'proguard',
  'source-map': 'sourcemap',
  pdb: 'pdb',
  'portable-pdb': 'portablepdb',
  pe: 'pe',
  sources: 'sourcebundle',
  'dart-symbols': 'dartsymbolmap',
  il2cpp: 'il2cpp',
};

const NIL = '00000000-0000-0000-0000-000000000000';

/** The digits of a debug ID without its age: 32 in lower case. */
export function toDebugDigits(debugId: string | null | undefined): string | undefined {
  const digits = debugId?.replaceAll('-', '').slice(0, 32).toLowerCase() ?? '';
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

/** With dashes and, except for Apple, the age: `0f1c65b6-f655-25c0-566b-f4f65a75bc96-1`. */
export function toDebugId(symbolId: string, format: string): string {
  const [, digits = '', age = ''] = /^([0-9A-Fa-f]{32})-?([0-9A-Fa-f]{0,8})/.exec(symbolId) ?? [];
  if (digits === '') return NIL;
  const guid = digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const isDecimal = format === 'pdb' || format === 'pe';
  const number = Number.parseInt(age || '0', isDecimal ? 10 : 16);
  return number > 0 ? `${guid}-${number.toString(16)}` : guid;
}

const getFeatures = ({ format, has_lines }: SymbolsTable): string[] => {
  if (format === 'sources') return ['sources'];
  if (['mapping', 'dart-symbols', 'il2cpp'].includes(format)) return ['mapping'];
  if (format === 'pe') return [];
  return has_lines === 1 ? ['symtab', 'debug'] : ['symtab'];
};

const toDebugFile = (row: SymbolsTable, { sha1 }: Pick<SymbolUploadsTable, 'sha1'>): DebugFile => ({
  id: row.symbol_id,
  debugId: toDebugId(row.symbol_id, row.format),
  name: row.name,
  cpu: row.arch || 'any',
  kind: kinds[row.format] ?? row.format,
  sha1: sha1 ?? '',
  size: row.size,
  isDebug: row.has_lines === 1,
  features: getFeatures(row),
  createdAt: row.created_at,
});

const BATCH = 500;

/** The first file of each upload. An upload whose files an earlier one had already has a placeholder. */
export async function describeUploads(
  { db }: Pick<AppCtx, 'db'>,
  uploads: readonly SymbolUploadsTable[],
): Promise<Map<string, DebugFile>> {
  const files = new Map<string, DebugFile>();
  const byId = new Map(uploads.map((upload) => [upload.id, upload]));
  const ids = [...byId.keys()];
  for (let at = 0; at < ids.length; at += BATCH) {
    for (const row of await listUploadedSymbols.all(db, { uploadIds: JSON.stringify(ids.slice(at, at + BATCH)) })) {
      const upload = byId.get(row.upload_id);
      if (upload && !files.has(upload.id)) files.set(upload.id, toDebugFile(row, upload));
    }
  }
  for (const { id, file_name: name, sha1, size, created_at: createdAt } of uploads) {
    if (files.has(id)) continue;
    const rest = { cpu: 'any', kind: 'unknown', isDebug: false, features: [], createdAt };
    files.set(id, { id, debugId: NIL, name, sha1: sha1 ?? '', size: Number(size), ...rest });
  }
  return files;
}

/** Larger files are only read by a job. */
const MAX_READ_WITH_REQUEST = 16 * 2 ** 20;
const READ_LIMIT_MS = 10 * SECOND;

/** Stores a zip of debug files, and indexes it before the response if it is small. */
export async function uploadDebugFiles(ctx: AppCtx, name: string | undefined, file: Incoming): Promise<DebugFile[]> {
  await refuseOverQuota(ctx, 'storage_bytes');
  const upload = await beginUpload(ctx, symbolFiles, { ownerId: ctx.app.id, fileName: 'debug-files.zip' });
  await receiveWholeFile(ctx, upload, file);
  const { id } = upload;
  const { size } = await tx(ctx, async (ctx) => {
    const { key, size } = await takeUpload(ctx, symbolFiles, { id, ownerId: ctx.app.id });
    await insertSymbolUpload.run(ctx.db, {
      id,
      app_id: ctx.app.id,
      type: 'Breakpad',
      status: 'committed',
      file_name: name?.endsWith('.zip') ? (cleanFileName(name) ?? 'debug-files.zip') : 'debug-files.zip',
      version: '',
      build: '',
      note: '',
      blob_key: key,
      size,
      created_at: ctx.clock.now(),
      user_id: ctx.actor.kind === 'user' ? ctx.actor.user.id : null,
      sha1: null,
      is_mixed: 1,
      failed_at: null,
    });
    await enqueue(ctx, symbolsIndex, { uploadId: id }, { runAt: ctx.clock.now() + READ_LIMIT_MS });
    await record(ctx, 'symbol_upload.create', appSubject(ctx.app), { after: { id, size } });
    return { size };
  });
  if (size > MAX_READ_WITH_REQUEST) return [];
  try {
    await indexUpload(ctx, id, { signal: AbortSignal.timeout(READ_LIMIT_MS) });
  } catch (error) {
    ctx.log.info({ err: error, uploadId: id }, 'symbols were not indexed during the request; a job will index them');
    return [];
  }
  const row = await findSymbolUpload.first(ctx.db, { id });
  if (row?.status === 'failed') throw badRequest(`The file was rejected: ${row.note}`);
  const stored = await listUploadedSymbols.all(ctx.db, { uploadIds: JSON.stringify([id]) });
  return stored.map((one) => toDebugFile(one, { sha1: null }));
}
