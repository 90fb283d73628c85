import type { Generated } from 'kysely';
import { accessTo } from '../db/statement.ts';
import { defineTables, type Flag } from '../db/tables.ts';

/** A file on its way in. */
export interface UploadsTable {
  id: string;
  purpose: string;
  /** Whose limit it counts against. */
  owner_id: string;
  /** The account that began it, itself or by an app token. */
  begun_by: string | null;
  /** Taken: the blob belongs to the domain that it was uploaded for. */
  state: 'open' | 'finished' | 'taken' | 'cancelled';
  file_name: string | null;
  type: string;
  /** As it was announced, and of a finished one as it is. */
  size: number | null;
  max_bytes: number;
  /** Where the whole file is, once it is finished. */
  blob_key: string | null;
  sha256: string | null;
  created_at: number;
  expires_at: number;
  /** How many pieces it has, those that are on their way among them. */
  piece_count: number;
  /** The bytes of those that have arrived. */
  piece_bytes: number;
  /** How much has arrived from the beginning without a gap; unknown when that has to be counted anew. */
  received: number | null;
}

/** Part of a file; without a size it is still arriving. Its row comes before its blob, so that no blob is forgotten. */
export interface UploadPiecesTable {
  upload_id: string;
  name: string;
  /** Sent again, a piece gets another blob: what is read at the same time stays as it is. Later ones are greater. */
  attempt: string;
  /** Where in the file it begins, if that was said. */
  start: number | null;
  size: number | null;
  sha256: string | null;
  /** How many bytes it has for itself in the file as it grows, from its start on; without, it is a blob of its own. */
  placed: number | null;
}

/** How often a blob was downloaded. */
export interface FileDownloadsTable {
  key: string;
  count: number;
  /** Links to it lead nowhere. */
  is_blocked: Generated<Flag>;
}

/** A file that is too small to be one on a disk; see `packed-files.ts`. */
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

/** What stores of this room can name. */
export const { insertInto, statement } = accessTo(uploadsTables);
