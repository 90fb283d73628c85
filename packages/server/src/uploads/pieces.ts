import { createHash, hash } from 'node:crypto';
import { BlobTooLarge } from '../blobs/index.ts';
import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import type { IncomingFile } from '../http/kinds/incoming-file.ts';
import { badRequest, conflict } from '../kernel/errors.ts';
import { addPiece, completePiece, deletePiece, findUploadRow, finishUploadRow, listPieces } from './uploads.store.ts';
import type { UploadPiecesTable } from './uploads.tables.ts';
import {
  beginUpload,
  checkRoom,
  dropPieces,
  fileKey,
  findUpload,
  type NewUpload,
  pieceKey,
  refuseUnlessOpen,
  tooLarge,
  toUpload,
  type Upload,
  type UploadedFile,
  type UploadPurpose,
} from './uploads.ts';

/** Small enough to be sent again, large enough for 4 GiB in a thousand. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
const MOST_PIECES = 50_000;

/** A file, or part of one, on its way in. */
export type Incoming = Pick<IncomingFile, 'content' | 'received' | 'sha256'>;

interface Piece {
  name: string;
  start?: number;
  /** Exactly so many bytes, if that is known. */
  size?: number;
}

/** What arrives short is not put, so that a piece which was whole stays. */
async function* measured(content: AsyncIterable<Buffer>, size: number | undefined): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of content) {
    received += chunk.length;
    yield chunk;
  }
  if (size !== undefined && received !== size) {
    throw badRequest(`This part of the file has ${received} bytes; it must have ${size}.`);
  }
}

/** Keeps a piece; one that comes again replaces itself. */
async function keepPiece(ctx: Deps, upload: Upload, { name, start, size }: Piece, file: Incoming): Promise<void> {
  refuseUnlessOpen(upload);
  const uploadId = upload.id;
  const held = await listPieces.all(ctx.db, { uploadId });
  if (held.length >= MOST_PIECES) throw badRequest(`A file may come in ${MOST_PIECES} parts at most.`);
  const others = held.filter((piece) => piece.name !== name).reduce((sum, piece) => sum + (piece.size ?? 0), 0);
  const room = upload.maxBytes - others;
  if (size !== undefined && size > room) throw tooLarge(upload.maxBytes);
  await checkRoom(ctx, size ?? 0);
  const piece = { upload_id: uploadId, name, attempt: ctx.newId() };
  const which = { uploadId, name, attempt: piece.attempt };
  await tx(ctx, ({ db }) => addPiece.run(db, { ...piece, start: start ?? null, size: null, sha256: null }));
  const drop = async (one: typeof which) => {
    await ctx.blobs.delete(pieceKey({ ...piece, attempt: one.attempt }));
    await tx(ctx, ({ db }) => deletePiece.run(db, one));
  };
  try {
    const content = measured(file.content, size);
    await ctx.blobs.put(pieceKey(piece), content, { type: 'application/octet-stream', maxBytes: room });
  } catch (error) {
    await drop(which).catch(() => undefined);
    throw error instanceof BlobTooLarge ? tooLarge(upload.maxBytes) : error;
  }
  const kept = await tx(ctx, ({ db }) =>
    completePiece.run(db, { ...which, size: file.received, sha256: file.sha256() }),
  );
  // Finished, cancelled or swept while it arrived.
  if (kept === 0) {
    await ctx.blobs.delete(pieceKey(piece));
    throw conflict('This upload is no longer open; begin a new one.');
  }
  const former = held.filter((one) => one.name === name && one.size !== null);
  for (const { attempt } of former) await drop({ ...which, attempt });
}

type CompletePiece = UploadPiecesTable & { size: number; sha256: string };

/** By name, the last of each that has arrived. */
const completePieces = async (ctx: Deps, { id }: Upload): Promise<Map<string, CompletePiece>> =>
  new Map(
    (await listPieces.all(ctx.db, { uploadId: id }))
      .filter((piece): piece is CompletePiece => piece.size !== null && piece.sha256 !== null)
      .map((piece) => [piece.name, piece]),
  );

/** Somebody has sent a piece again, or finished the upload, while it was read. */
class PieceGone extends Error {}

async function* concatenated(ctx: Deps, pieces: readonly CompletePiece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    const blob = await ctx.blobs.get(pieceKey(piece));
    if (!blob) throw new PieceGone();
    yield* blob.stream as AsyncIterable<Buffer>;
  }
}

/** Sums up what passes. */
async function* summed(content: AsyncIterable<Buffer>, sum: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

async function join(ctx: Deps, upload: Upload, pieces: readonly CompletePiece[]) {
  const [first] = pieces;
  if (first && pieces.length === 1) return { key: pieceKey(first), size: first.size, sha256: first.sha256 };
  const sum = createHash('sha256');
  const key = fileKey(upload.id);
  const options = { type: 'application/octet-stream', maxBytes: upload.maxBytes };
  const { size } = await ctx.blobs.put(key, summed(concatenated(ctx, pieces), sum), options).catch((error) => {
    throw error instanceof BlobTooLarge ? tooLarge(upload.maxBytes) : error;
  });
  return { key, size, sha256: sum.digest('hex') };
}

type Choose = (pieces: Map<string, CompletePiece>) => readonly CompletePiece[];
const finishing = new Map<string, Promise<UploadedFile>>();

async function joinAndFinish(ctx: Deps, upload: Upload, choose: Choose): Promise<UploadedFile> {
  for (;;) {
    const row = await findUploadRow.first(ctx.db, { id: upload.id });
    const now = row && toUpload(row);
    if (now?.file) return now.file;
    if (now?.state !== 'open') throw conflict('This upload is no longer open; begin a new one.');
    const joined = await join(ctx, upload, choose(await completePieces(ctx, upload))).catch((error) => {
      if (error instanceof PieceGone) return undefined;
      throw error;
    });
    if (!joined) continue;
    const finish = { id: upload.id, fileName: upload.fileName ?? null, ...joined };
    if (await tx(ctx, ({ db }) => finishUploadRow.first(db, finish))) await dropPieces(ctx, upload.id, joined.key);
  }
}

/** Once for all who ask at the same time: putting a large file together twice would be a waste. */
function finishWith(ctx: Deps, upload: Upload, choose: Choose): Promise<UploadedFile> {
  const known = finishing.get(upload.id);
  if (known) return known;
  const made = joinAndFinish(ctx, upload, choose).finally(() => finishing.delete(upload.id));
  finishing.set(upload.id, made);
  return made;
}

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

/** One chunk of an announced file, in any order. */
export async function receiveChunk(ctx: Deps, upload: Upload, number: number, file: Incoming): Promise<void> {
  const { size } = upload;
  if (size === undefined) throw badRequest('Announce the file with set_metadata before its chunks.');
  const count = Math.ceil(size / CHUNK_BYTES);
  if (number < 1 || number > count) throw badRequest(`block_number must be from 1 to ${count}.`);
  const start = (number - 1) * CHUNK_BYTES;
  await keepPiece(ctx, upload, { name: chunkName(number), start, size: Math.min(CHUNK_BYTES, size - start) }, file);
}

/** Puts the chunks together, or says which are missing. */
export async function finishChunks(ctx: Deps, upload: Upload): Promise<{ missing: number[] }> {
  if (upload.state === 'finished' || upload.state === 'taken') return { missing: [] };
  refuseUnlessOpen(upload);
  if (upload.size === undefined) throw badRequest('Announce the file with set_metadata before it is finished.');
  const numbers = chunksOf(upload);
  const known = await completePieces(ctx, upload);
  const missing = numbers.filter((number) => !known.has(chunkName(number)));
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

export const receiveBlock = (ctx: Deps, upload: Upload, blockId: string, file: Incoming): Promise<void> =>
  keepPiece(ctx, upload, { name: blockName(blockId) }, file);

/** The list gives the order of the blocks; one may stand in it more than once. */
export async function finishBlocks(ctx: Deps, upload: Upload, blockIds: readonly string[]): Promise<void> {
  if (upload.state === 'finished' || upload.state === 'taken') return;
  refuseUnlessOpen(upload);
  if (blockIds.length === 0) throw badRequest('The list names no blocks.');
  await finishWith(ctx, upload, (pieces) =>
    blockIds.map((id) => {
      const piece = pieces.get(blockName(id));
      if (!piece) throw badRequest(`The block "${id.slice(0, 100)}" has not arrived; send it, and the list again.`);
      return piece;
    }),
  );
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

/** What has arrived from the beginning without a gap. */
function walk(pieces: Map<string, CompletePiece>): { run: CompletePiece[]; received: number } {
  const byStart = new Map([...pieces.values()].map((piece) => [piece.start, piece]));
  const run: CompletePiece[] = [];
  let received = 0;
  for (let next = byStart.get(0); next && next.size > 0; next = byStart.get(received)) {
    run.push(next);
    received += next.size;
  }
  return { run, received };
}

export interface Progress {
  upload: Upload;
  /** How many bytes have arrived from the beginning without a gap: where to go on. */
  received: number;
}

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
  const upload =
    (await findUpload(ctx, purpose, which)) ?? (await beginUpload(ctx, purpose, { ...input, size: range?.total }));
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
  if ('first' in range) {
    const { first, last } = range;
    await keepPiece(ctx, upload, { name: `r${first}`, start: first, size: last - first + 1 }, file);
  }
  const { received } = walk(await completePieces(ctx, upload));
  if (received === range.total) await finishWith(ctx, upload, (pieces) => walk(pieces).run);
  return { upload: await now(), received };
}
