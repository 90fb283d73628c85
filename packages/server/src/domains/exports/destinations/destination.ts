import type { ExportRecord } from '../records.ts';

/** A file that is complete or absent, wherever it goes. */
export interface ExportFile {
  /** With slashes; every part of it is harmless as a name. */
  path: string;
  bytes: Buffer;
  type: string;
  /** Who wrote it from what: whoever finds it there knows whether it is this one. */
  tag: string;
  /** True for records, whose stacks may differ when they are written again; false for attachments. */
  isRecords: boolean;
}

/** Records for whoever takes no files. */
export interface Delivery {
  /** The same whenever the same is sent again. */
  id: string;
  entity: string;
  records: readonly ExportRecord[];
}

interface Checkable {
  /** Does what an export does, with something small, and leaves nothing behind. */
  check(): Promise<void>;
}

/** Takes files. One that is there already is left as it is: `taken` if it is of somebody else. */
export interface FileStore extends Checkable {
  kind: 'files';
  /** `isOurs` says that a file of this name, if there is one, was written from the same batches. */
  put(file: ExportFile, isOurs?: boolean): Promise<'written' | 'taken'>;
  /** For a store whose files carry no tag. */
  exists?(path: string): Promise<boolean>;
}

/** Takes records, a few at a time; what was taken may come again after a failure, under the same id. */
export interface Receiver extends Checkable {
  kind: 'records';
  /** What it has no use for is not sent. */
  takes(entity: string): boolean;
  send(delivery: Delivery): Promise<void>;
}

export type Destination = FileStore | Receiver;

/** Why nothing could be written. What nobody but a person can mend is not tried again. */
export class DestinationError extends Error {
  override name = 'DestinationError';
  readonly isLasting: boolean;
  constructor(message: string, { isLasting = false, cause }: { isLasting?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isLasting = isLasting;
  }
}

/** An address without the slashes at its end. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

const MOST_SHOWN = 300;

/** The beginning of what an answer says, on one line. */
export const excerptOf = (body: Buffer): string =>
  body
    .subarray(0, 4 * MOST_SHOWN)
    .toString('utf8')
    .replace(/<[^>]{0,200}>/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MOST_SHOWN);
