import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

export type SymbolType = 'Apple' | 'JavaScript' | 'Breakpad' | 'AndroidProguard' | 'UWP';
export type UploadStatus = 'created' | 'committed' | 'aborted' | 'processing' | 'indexed' | 'failed';

/** A file as uploaded. */
export interface SymbolUploadsTable {
  id: string;
  app_id: string;
  type: SymbolType;
  status: UploadStatus;
  file_name: string;
  version: string;
  build: string;
  /** Why it failed, or which parts could not be used. */
  note: string;
  /** Empty until the file has arrived. */
  blob_key: string;
  size: number;
  created_at: number;
  user_id: string | null;
  /** Identifies a file that a tool sends again; null for other uploads. */
  sha1: string | null;
  /** Accepts any format. Each file has the type of its format. */
  is_mixed: Flag;
  failed_at: number | null;
}

/** Part of a file that a tool is sending; without a size while it arrives. */
export interface SymbolChunksTable {
  owner_id: string;
  /** The user or, for an app token, the app. Only they can use the chunk. */
  holder_id: string;
  sha1: string;
  size: number | null;
  expires_at: number;
}

/** Symbols of one image, found in an upload. */
export interface SymbolsTable {
  app_id: string;
  symbol_id: string;
  upload_id: string;
  type: SymbolType;
  format: string;
  name: string;
  arch: string;
  text_address: string;
  version: string;
  build: string;
  /** Images of several architectures may share one file. */
  blob_key: string;
  size: number;
  has_lines: Flag;
  created_at: number;
  used_at: number;
}

/** Alternative IDs in reports. */
export interface SymbolAliasesTable {
  app_id: string;
  alias: string;
  symbol_id: string;
}

/** Number of reports of a version and build that need symbols. */
export interface SymbolGroupsTable {
  app_id: string;
  version: string;
  build: string;
  id: string;
  crash_count: number;
  error_count: number;
  modified_at: number;
}

export interface MissingSymbolsTable {
  app_id: string;
  version: string;
  build: string;
  symbol_id: string;
  name: string;
  type: SymbolType;
  arch: string;
  last_at: number;
}

/** The symbols that each report needs. */
export interface SymbolNeedsTable {
  app_id: string;
  report_id: string;
  symbol_id: string;
  version: string;
  build: string;
  is_error: Flag;
}

export interface IgnoredSymbolsTable {
  app_id: string;
  symbol_id: string;
  at: number;
}

export const symbolsTables = defineTables<{
  symbol_uploads: SymbolUploadsTable;
  symbol_chunks: SymbolChunksTable;
  symbols: SymbolsTable;
  symbol_aliases: SymbolAliasesTable;
  symbol_groups: SymbolGroupsTable;
  missing_symbols: MissingSymbolsTable;
  symbol_needs: SymbolNeedsTable;
  ignored_symbols: IgnoredSymbolsTable;
}>({
  symbol_uploads: { personal: { by: { user_id: 'userId' }, secret: ['blob_key'] } },
  symbol_chunks: { personal: { by: { holder_id: 'userId' } } },
  symbols: {},
  symbol_aliases: {},
  symbol_groups: {},
  missing_symbols: {},
  symbol_needs: {},
  ignored_symbols: {},
});

export const { insertInto, query, statement, updateRow } = accessTo(symbolsTables, accountsViews, appsViews);
