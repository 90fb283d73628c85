import { hash } from 'node:crypto';
import type { Deps } from '../context.ts';
import { badRequest } from '../kernel/errors.ts';
import { type CompletePiece, completePieces, countReceived, walk } from './arrived.ts';
import { finishWith } from './joining.ts';
import { type Incoming, keepPiece, MOST_PIECES } from './piece-keeping.ts';
import { findUploadRow } from './uploads.store.ts';
import {
  beginUpload,
  findUpload,
  type NewUpload,
  refuseUnlessOpen,
  tooLarge,
  type Upload,
  type UploadedFile,
  type UploadPurpose,
} from './uploads.ts';

export type { Incoming } from './piece-keeping.ts';

/** Small enough to be sent again, large enough for 4 GiB in a thousand. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

const notArrived = (what: string) => badRequest(`${what} has not arrived; send it again.`);

/** A whole file in one go. */
export async function receiveFile(ctx: Deps, upload: Upload, file: Incoming): Promise<UploadedFile> {
  await keepPiece(ctx, upload, { name: 'whole' }, file);
  if (file.received === 0) throw badRequest('The file is empty.');
  return finishWith(ctx, upload, (pieces) => {
    const whole = pieces.get('whole');
    if (!whole) throw notArrived('The file');
    return [whole];
  });
}

/** The numbers of the chunks of an announced file, from 1. */
export const chunksOf = ({ size = 0 }: Pick<Upload, 'size'>): number[] =>
  Array.from({ length: Math.ceil(size / CHUNK_BYTES) }, (_, at) => at + 1);

const chunkName = (number: number): string => `n${number}`;
const chunkSize = (size: number, number: number): number => Math.min(CHUNK_BYTES, size - (number - 1) * CHUNK_BYTES);

/** One chunk of an announced file, in any order. */
export async function receiveChunk(ctx: Deps, upload: Upload, number: number, file: Incoming): Promise<void> {
  const { size } = upload;
  if (size === undefined) throw badRequest('Announce the file with set_metadata before its chunks.');
  const count = Math.ceil(size / CHUNK_BYTES);
  if (number < 1 || number > count) throw badRequest(`block_number must be from 1 to ${count}.`);
  const start = (number - 1) * CHUNK_BYTES;
  await keepPiece(ctx, upload, { name: chunkName(number), start, size: chunkSize(size, number) }, file);
}

/** Puts the chunks together, or says which are missing. */
export async function finishChunks(ctx: Deps, upload: Upload): Promise<{ missing: number[] }> {
  if (upload.state === 'finished' || upload.state === 'taken') return { missing: [] };
  refuseUnlessOpen(upload);
  if (upload.size === undefined) throw badRequest('Announce the file with set_metadata before it is finished.');
  const numbers = chunksOf(upload);
  const known = await completePieces(ctx, upload);
  // One of a file that was announced with another size first may have another size, too.
  const missing = numbers.filter(
    (number) => known.get(chunkName(number))?.size !== chunkSize(upload.size ?? 0, number),
  );
  if (missing.length > 0) return { missing };
  await finishWith(ctx, upload, (pieces) =>
    numbers.map((number) => {
      const piece = pieces.get(chunkName(number));
      if (!piece) throw notArrived(`Chunk ${number}`);
      return piece;
    }),
  );
  return { missing: [] };
}

/** Ids of blocks are the client's: any text. */
const blockName = (id: string): string => `b${hash('sha256', id, 'hex').slice(0, 32)}`;

export async function receiveBlock(ctx: Deps, upload: Upload, blockId: string, file: Incoming): Promise<void> {
  await keepPiece(ctx, upload, { name: blockName(blockId) }, file);
}

/** The list gives the order of the blocks; one may stand in it more than once. */
export async function finishBlocks(ctx: Deps, upload: Upload, blockIds: readonly string[]): Promise<void> {
  if (upload.state === 'finished' || upload.state === 'taken') return;
  refuseUnlessOpen(upload);
  if (blockIds.length === 0) throw badRequest('The list names no blocks.');
  if (blockIds.length > MOST_PIECES) throw badRequest(`The list may name ${MOST_PIECES} blocks at most.`);
  await finishWith(ctx, upload, (pieces) => {
    const listed = blockIds.map((id) => {
      const piece = pieces.get(blockName(id));
      if (!piece) throw badRequest(`The block "${id.slice(0, 100)}" has not arrived; send it, and the list again.`);
      return piece;
    });
    // A list of a few kilobytes could name one block again and again.
    if (listed.reduce((sum, { size }) => sum + size, 0) > upload.maxBytes) throw tooLarge(upload.maxBytes);
    return listed;
  });
}

/** Part of a file, as Content-Range says; without bytes, only a question how much has arrived. */
export interface ByteRange {
  first: number;
  last: number;
  total: number;
}

/** `bytes 0-99/1000`, or an asterisk in place of the bytes for the question alone. */
export function readContentRange(header: string | undefined): ByteRange | { total: number } | undefined {
  if (header === undefined) return undefined;
  const [, first, last, total] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(header) ?? [];
  if (total === undefined) throw badRequest('Content-Range must be as "bytes 0-8388607/104857600".');
  if (first === undefined) return { total: Number(total) };
  const range = { first: Number(first), last: Number(last), total: Number(total) };
  if (range.first > range.last || range.last >= range.total) {
    throw badRequest('Content-Range names bytes outside of the file.');
  }
  return range;
}

export interface Progress {
  upload: Upload;
  /** How many bytes have arrived from the beginning without a gap: where to go on. */
  received: number;
}

/** Keeps what the range names, if anything; how much has arrived. */
async function receiveBytes(ctx: Deps, upload: Upload, range: ByteRange | { total: number }, file: Incoming) {
  if ('first' in range) {
    const { first, last } = range;
    return keepPiece(ctx, upload, { name: `r${first}`, start: first, size: last - first + 1 }, file);
  }
  const row = await findUploadRow.first(ctx.db, { id: upload.id });
  return row ? countReceived(ctx, row) : 0;
}

/** All of it, unless a part was replaced meanwhile by one of another size. */
const wholeOf = (total: number) => (pieces: Map<string, CompletePiece>) => {
  const { run, received } = walk(pieces);
  if (received !== total) throw notArrived(`What comes after the first ${received} bytes`);
  return run;
};

/**
 * Our own dialect: a file in one request, or in ranges that can be sent again. The upload begins with its first request,
 * under an id that the sender chose; a request that comes again finds what the first has done.
 */
export async function receiveRange(
  ctx: Deps,
  purpose: UploadPurpose,
  input: NewUpload & { id: string; fileName: string },
  { range, file }: { range: ByteRange | { total: number } | undefined; file: Incoming },
): Promise<Progress> {
  const which = { id: input.id, ownerId: input.ownerId };
  const begin = () =>
    beginUpload(ctx, purpose, { ...input, size: range?.total }).catch(async (error: unknown) => {
      // A sender that was cut off asks again while its first request has just begun it.
      const begun = await findUpload(ctx, purpose, which);
      if (begun) return begun;
      throw error;
    });
  const upload = (await findUpload(ctx, purpose, which)) ?? (await begin());
  if (upload.state !== 'open') {
    if (upload.state === 'cancelled') refuseUnlessOpen(upload);
    return { upload, received: upload.size ?? 0 };
  }
  const now = async () => (await findUpload(ctx, purpose, which)) ?? upload;
  if (range === undefined) {
    const { size } = await receiveFile(ctx, upload, file);
    return { upload: await now(), received: size };
  }
  if (range.total !== upload.size) throw badRequest(`This upload is one of ${upload.size} bytes, not ${range.total}.`);
  const received = await receiveBytes(ctx, upload, range, file);
  if (received === range.total) await finishWith(ctx, upload, wholeOf(range.total));
  return { upload: await now(), received };
}
