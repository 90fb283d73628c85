import type { ExportRecord } from '../records.ts';

/** A file that is written completely or not at all. */
export interface ExportFile {
  /** With slashes; every part is safe as a file name. */
  path: string;
  bytes: Buffer;
  type: string;
  /** Identifies the writer and content, to recognize the file later. */
  tag: string;
  /** True for records, whose stacks may differ when they are written again; false for attachments. */
  isRecords: boolean;
}

/** Records for destinations without files. */
export interface Delivery {
  /** Stays the same when the delivery is repeated. */
  id: string;
  entity: string;
  records: readonly ExportRecord[];
}

interface Checkable {
  /** Tests the destination with a small write, and removes it again. */
  check(): Promise<void>;
}

/** Stores files. Never overwrites an existing one: returns `taken` if it has other content. */
export interface FileStore extends Checkable {
  kind: 'files';
  /** `isOurs` says that an existing file of this name was written from the same batches. */
  put(file: ExportFile, isOurs?: boolean): Promise<'written' | 'taken'>;
  /** For stores whose files carry no tag. */
  exists?(path: string): Promise<boolean>;
}

/** Receives records in small groups. After a failure, records may be sent again with the same ID. */
export interface Receiver extends Checkable {
  kind: 'records';
  /** Returns whether the destination accepts this kind of record. */
  takes(entity: string): boolean;
  send(delivery: Delivery): Promise<void>;
}

export type Destination = FileStore | Receiver;

/** A failed write. Lasting errors need an action by a user and are not retried. */
export class DestinationError extends Error {
  override name = 'DestinationError';
  readonly isLasting: boolean;
  constructor(message: string, { isLasting = false, cause }: { isLasting?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isLasting = isLasting;
  }
}

/** Removes trailing slashes. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

const MAX_EXCERPT_LENGTH = 300;

/** The beginning of a response, on one line. */
export const toExcerpt = (body: Buffer): string =>
  body
    .subarray(0, 4 * MAX_EXCERPT_LENGTH)
    .toString('utf8')
    .replace(/<[^>]{0,200}>/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_EXCERPT_LENGTH);
