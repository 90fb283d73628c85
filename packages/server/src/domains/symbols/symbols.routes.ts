import {
  missingSymbolGroups_get,
  missingSymbolGroups_info,
  missingSymbolGroups_list,
  symbols_get,
  symbols_getLocation,
  symbols_getStatus,
  symbols_ignore,
  symbols_list,
  symbols_unignore,
  symbolUploads_complete,
  symbolUploads_create,
  symbolUploads_delete,
  symbolUploads_get,
  symbolUploads_getLocation,
  symbolUploads_list,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { countUnsymbolicated, getSymbolGroup, listSymbolGroups, type SymbolGroup } from './missing-symbols.ts';
import {
  abortSymbolUpload,
  commitSymbolUpload,
  createSymbolUpload,
  deleteSymbolUpload,
  getSymbolUpload,
  linkSymbolUpload,
  listSymbolUploads,
  type SymbolUpload,
} from './symbol-uploads.ts';
import {
  getSymbolStatus,
  getSymbols,
  ignoreSymbols,
  type KnownSymbols,
  linkSymbols,
  listSymbols,
  unignoreSymbols,
} from './symbols.ts';

const uploadToWire = (upload: SymbolUpload) => ({
  symbol_upload_id: upload.id,
  app_id: upload.appId,
  user: upload.user && { email: upload.user.email, display_name: upload.user.displayName },
  status: upload.status,
  symbol_type: upload.type,
  symbols_uploaded: upload.symbols.map(({ id, arch, name }) => ({ symbol_id: id, platform: arch, name })),
  origin: 'User' as const,
  file_name: upload.fileName,
  file_size: upload.size,
  timestamp: toIso(upload.createdAt),
  version: upload.version || undefined,
  build: upload.build || undefined,
  note: upload.note || undefined,
});

const symbolsToWire = (symbols: KnownSymbols, appId: string) => ({
  symbol_id: symbols.id,
  type: symbols.type,
  app_id: appId,
  platform: symbols.arch,
  url: '',
  origin: 'User' as const,
  alternate_symbol_ids: symbols.otherIds,
  status: symbols.isIgnored ? ('ignored' as const) : ('available' as const),
  version: symbols.version || undefined,
  build: symbols.build || undefined,
  symbol_upload_id: symbols.uploadId,
  name: symbols.name,
  file_size: symbols.size,
  has_lines: symbols.hasLines,
  timestamp: toIso(symbols.createdAt),
});

const groupsToWire = ({ total, groups }: { total: number; groups: SymbolGroup[] }, appId: string) => ({
  total_crash_count: total,
  groups: groups.map((group) => ({
    symbol_group_id: group.id,
    crash_count: group.crashCount,
    error_count: group.errorCount,
    app_id: appId,
    app_ver: group.version,
    app_build: group.build,
    last_modified: toIso(group.modifiedAt),
    missing_symbols: group.missing.map(({ id, name, arch, status, type }) => ({
      symbol_id: id,
      name,
      platform: arch,
      status,
      type,
    })),
    status: group.status,
  })),
});

export const symbolRoutes = [
  route(symbolUploads_list, async (ctx, { query: { top, status, symbol_type } }) =>
    (await listSymbolUploads(ctx, { top, status, type: symbol_type })).map(uploadToWire),
  ),
  route(symbolUploads_create, async (ctx, { body: { symbol_type, file_name, version, build } }) => {
    const { id, uploadUrl, expiresAt } = await createSymbolUpload(ctx, {
      type: symbol_type,
      fileName: file_name,
      version,
      build,
    });
    return { symbol_upload_id: id, upload_url: uploadUrl, expiration_date: toIso(expiresAt) };
  }),
  route(symbolUploads_get, async (ctx, { params }) =>
    uploadToWire(await getSymbolUpload(ctx, params.symbol_upload_id)),
  ),
  route(symbolUploads_complete, async (ctx, { params: { symbol_upload_id }, body: { status } }) =>
    uploadToWire(await (status === 'committed' ? commitSymbolUpload : abortSymbolUpload)(ctx, symbol_upload_id)),
  ),
  route(symbolUploads_delete, async (ctx, { params }) =>
    uploadToWire(await deleteSymbolUpload(ctx, params.symbol_upload_id)),
  ),
  route(symbolUploads_getLocation, async (ctx, { params }) => ({
    uri: await linkSymbolUpload(ctx, params.symbol_upload_id),
  })),
  route(symbols_list, async (ctx) => (await listSymbols(ctx)).map((one) => symbolsToWire(one, ctx.app.id))),
  route(symbols_get, async (ctx, { params }) => symbolsToWire(await getSymbols(ctx, params.symbol_id), ctx.app.id)),
  route(symbols_ignore, async (ctx, { params }) =>
    symbolsToWire(await ignoreSymbols(ctx, params.symbol_id), ctx.app.id),
  ),
  route(symbols_unignore, async (ctx, { params }) =>
    symbolsToWire(await unignoreSymbols(ctx, params.symbol_id), ctx.app.id),
  ),
  route(symbols_getLocation, async (ctx, { params }) => ({ uri: await linkSymbols(ctx, params.symbol_id) })),
  route(symbols_getStatus, async (ctx, { params: { symbol_id } }) => ({
    symbol_id,
    app_id: ctx.app.id,
    status: await getSymbolStatus(ctx, symbol_id),
  })),
  route(missingSymbolGroups_list, async (ctx, { query: { top } }) =>
    groupsToWire(await listSymbolGroups(ctx, top), ctx.app.id),
  ),
  route(missingSymbolGroups_get, async (ctx, { params }) =>
    groupsToWire(await getSymbolGroup(ctx, params.symbol_group_id), ctx.app.id),
  ),
  route(missingSymbolGroups_info, async (ctx) => ({ total_crash_count: await countUnsymbolicated(ctx) })),
];
