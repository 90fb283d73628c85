import { hash } from 'node:crypto';
import type { Deps } from '../context.ts';
import { badRequest } from '../kernel/errors.ts';
import { type Incoming, MAX_CHUNKS, storeChunk } from './chunk-storage.ts';
import { type CompletedChunk, countReceived, listCompletedChunks, walk } from './completed-chunks.ts';
import { finishWith } from './joining.ts';
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

export type { Incoming } from './chunk-storage.ts';

/** Small enough to be sent again, large enough for 4 GiB in a thousand chunks. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

const notReceived = (what: string) => badRequest(`${what} has not arrived. Send it again.`);

/** Receives a whole file in one request. */
export async function receiveFile(ctx: Deps, upload: Upload, file: Incoming): Promise<UploadedFile> {
  await storeChunk(ctx, upload, { name: 'whole' }, file);
  if (file.received === 0) throw badRequest('The file is empty.');
  return finishWith(ctx, upload, (chunks) => {
    const whole = chunks.get('whole');
    if (!whole) throw notReceived('The file');
    return [whole];
  });
}

/** The chunk numbers of an announced file, starting at 1. */
export const listChunkNumbers = ({ size = 0 }: Pick<Upload, 'size'>): number[] =>
  Array.from({ length: Math.ceil(size / CHUNK_BYTES) }, (_, at) => at + 1);

const chunkName = (number: number): string => `n${number}`;
const chunkSize = (size: number, number: number): number => Math.min(CHUNK_BYTES, size - (number - 1) * CHUNK_BYTES);

/** Receives one chunk of an announced file. Chunks may arrive in any order. */
export async function receiveChunk(ctx: Deps, upload: Upload, number: number, file: Incoming): Promise<void> {
  const { size } = upload;
  if (size === undefined) throw badRequest('Send set_metadata before the first chunk.');
  const count = Math.ceil(size / CHUNK_BYTES);
  if (number < 1 || number > count) throw badRequest(`block_number must be from 1 to ${count}.`);
  const start = (number - 1) * CHUNK_BYTES;
  await storeChunk(ctx, upload, { name: chunkName(number), start, size: chunkSize(size, number) }, file);
}

/** Joins the chunks, or returns the missing ones. */
export async function finishChunks(ctx: Deps, upload: Upload): Promise<{ missing: number[] }> {
  if (upload.state === 'finished' || upload.state === 'taken') return { missing: [] };
  refuseUnlessOpen(upload);
  if (upload.size === undefined) throw badRequest('Send set_metadata before you finish the upload.');
  const numbers = listChunkNumbers(upload);
  const completed = await listCompletedChunks(ctx, upload);
  // A chunk stored before the announced file size changed may have the wrong size.
  const missing = numbers.filter(
    (number) => completed.get(chunkName(number))?.size !== chunkSize(upload.size ?? 0, number),
  );
  if (missing.length > 0) return { missing };
  await finishWith(ctx, upload, (chunks) =>
    numbers.map((number) => {
      const chunk = chunks.get(chunkName(number));
      if (!chunk) throw notReceived(`Chunk ${number}`);
      return chunk;
    }),
  );
  return { missing: [] };
}

/** The client chooses block IDs: any text. */
const blockName = (id: string): string => `b${hash('sha256', id, 'hex').slice(0, 32)}`;

export async function receiveBlock(ctx: Deps, upload: Upload, blockId: string, file: Incoming): Promise<void> {
  await storeChunk(ctx, upload, { name: blockName(blockId) }, file);
}

/** The list has the order of the blocks, and may repeat them. */
export async function finishBlocks(ctx: Deps, upload: Upload, blockIds: readonly string[]): Promise<void> {
  if (upload.state === 'finished' || upload.state === 'taken') return;
  refuseUnlessOpen(upload);
  if (blockIds.length === 0) throw badRequest('The block list is empty.');
  if (blockIds.length > MAX_CHUNKS)
    throw badRequest(`The block list has more than ${MAX_CHUNKS} blocks. Use larger blocks.`);
  await finishWith(ctx, upload, (chunks) => {
    const listed = blockIds.map((id) => {
      const chunk = chunks.get(blockName(id));
      if (!chunk) throw badRequest(`The block "${id.slice(0, 100)}" has not arrived. Send it, then the list again.`);
      return chunk;
    });
    // A list of a few kilobytes could repeat one block many times.
    if (listed.reduce((sum, { size }) => sum + size, 0) > upload.maxBytes) throw tooLarge(upload.maxBytes);
    return listed;
  });
}

/** A byte range of Content-Range. Without bytes, the request only queries the received size. */
export interface ByteRange {
  first: number;
  last: number;
  total: number;
}

/** Parses `bytes 0-99/1000`, or an asterisk instead of the bytes for a request without content. */
export function readContentRange(header: string | undefined): ByteRange | { total: number } | undefined {
  if (header === undefined) return undefined;
  const [, first, last, total] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(header) ?? [];
  if (total === undefined) throw badRequest('Content-Range must have the form "bytes 0-8388607/104857600".');
  if (first === undefined) return { total: Number(total) };
  const range = { first: Number(first), last: Number(last), total: Number(total) };
  if (range.first > range.last || range.last >= range.total) {
    throw badRequest('Content-Range is outside the file.');
  }
  return range;
}

export interface Progress {
  upload: Upload;
  /** Number of contiguous bytes from the start of the file: the position to continue from. */
  received: number;
}

/** Stores the bytes of the range, if any. Returns how much has arrived. */
async function receiveBytes(ctx: Deps, upload: Upload, range: ByteRange | { total: number }, file: Incoming) {
  if ('first' in range) {
    const { first, last } = range;
    return storeChunk(ctx, upload, { name: `r${first}`, start: first, size: last - first + 1 }, file);
  }
  const row = await findUploadRow.first(ctx.db, { id: upload.id });
  return row ? countReceived(ctx, row) : 0;
}

/** Selects all chunks. Throws if one was replaced meanwhile by one of another size. */
const selectWholeFile = (total: number) => (chunks: Map<string, CompletedChunk>) => {
  const { run, received } = walk(chunks);
  if (received !== total) throw notReceived(`The part after the first ${received} bytes`);
  return run;
};

/**
 * Mooring's own upload protocol: a file in one request, or in ranges that can be repeated. The first request starts the
 * upload, with an ID that the client chose; a repeated request finds the result of the first one.
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
      // A client that lost its connection retries while its first request is still starting the upload.
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
  if (range.total !== upload.size) throw badRequest(`This upload has ${upload.size} bytes, not ${range.total}.`);
  const received = await receiveBytes(ctx, upload, range, file);
  if (received === range.total) await finishWith(ctx, upload, selectWholeFile(range.total));
  return { upload: await now(), received };
}
