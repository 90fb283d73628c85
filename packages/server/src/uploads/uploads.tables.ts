import type { Generated } from 'kysely';
import { accessTo } from '../db/statement.ts';
import { defineTables, defineViews, type Flag } from '../db/tables.ts';

/** A file that is being uploaded. */
export interface UploadsTable {
  id: string;
  purpose: string;
  /** Owner whose limit it counts against. */
  owner_id: string;
  /** The account that started it, directly or with an app token. */
  begun_by: string | null;
  /** `taken`: the blob belongs to the domain that the file was uploaded for. */
  state: 'open' | 'finished' | 'taken' | 'cancelled';
  file_name: string | null;
  type: string;
  /** Announced size; once finished, the actual one. */
  size: number | null;
  max_bytes: number;
  /** Key of the file, once finished. */
  blob_key: string | null;
  sha256: string | null;
  created_at: number;
  expires_at: number;
  /** Number of chunks, including those that are still arriving. */
  piece_count: number;
  /** Total size of the received chunks. */
  piece_bytes: number;
  /** Number of contiguous bytes from the start; null if it must be counted again. */
  received: number | null;
}

/**
 * Chunk of a file; without a size while it is arriving. Its row is inserted before its blob, so that no blob is lost.
 */
export interface UploadPiecesTable {
  upload_id: string;
  name: string;
  /** A repeated chunk gets a new blob, so that concurrent reads stay consistent. Later attempts are greater. */
  attempt: string;
  /** Position in the file, if known. */
  start: number | null;
  size: number | null;
  sha256: string | null;
  /** Reserved bytes in the placed file, starting at `start`; null if the chunk has its own blob. */
  placed: number | null;
}

/** Number of downloads of a blob. */
export interface FileDownloadsTable {
  key: string;
  count: number;
  /** All links to it are blocked. */
  is_blocked: Generated<Flag>;
}

/** A file that is too small for the disk; see `packed-files.ts`. */
export interface PackedFilesTable {
  key: string;
  type: string;
  body: Uint8Array;
}

export const uploadsTables = defineTables<{
  uploads: UploadsTable;
  upload_pieces: UploadPiecesTable;
  file_downloads: FileDownloadsTable;
  packed_files: PackedFilesTable;
}>({
  uploads: { personal: { by: { begun_by: 'userId' }, secret: ['blob_key'] } },
  upload_pieces: {},
  file_downloads: {},
  packed_files: { bytes: ['body'] },
});

/** Published for stores of domains. */
export const uploadsViews = defineViews<{
  /** Downloads of each file. */
  download_counts: Pick<FileDownloadsTable, 'key' | 'count'>;
}>();

export const { insertInto, statement } = accessTo(uploadsTables);
