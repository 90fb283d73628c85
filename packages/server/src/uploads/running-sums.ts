import { createHash, type Hash } from 'node:crypto';
import type { Deps } from '../context.ts';
import { freeBytes } from '../kernel/free-bytes.ts';
import type { CompletePiece } from './arrived.ts';
import { listPlacedFrom } from './uploads.store.ts';
import { placeKey } from './uploads.ts';

/** The sum of a file as far as it has been read, and of which pieces that is the sum. */
interface Running {
  hash: Hash;
  /** Of the attempts that are in it, in their order. */
  attempts: Hash;
  pieces: number;
  size: number;
}

/** Beyond it the oldest is forgotten, and made anew when its file is finished. */
const MOST = 200;
/** Pieces that are looked up at once. */
const BATCH = 64;

const sha256 = () => createHash('sha256');
const fresh = (): Running => ({ hash: sha256(), attempts: sha256(), pieces: 0, size: 0 });

/** With pieces that follow what it has; nothing if the file is no longer there. What breaks off is not half in the sum. */
async function readOn(
  { blobs }: Deps,
  uploadId: string,
  running: Running,
  pieces: readonly CompletePiece[],
): Promise<Running | undefined> {
  const hash = running.hash.copy();
  const attempts = running.attempts.copy();
  for (const { attempt } of pieces) attempts.update(attempt);
  const size = pieces.reduce((sum, piece) => sum + piece.size, running.size);
  if (size > running.size) {
    const blob = await blobs.get(placeKey(uploadId), { start: running.size, end: size - 1 });
    if (!blob) return undefined;
    for await (const chunk of blob.stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      freeBytes(chunk);
    }
  }
  return { hash, attempts, pieces: running.pieces + pieces.length, size };
}

/** Whether it is a sum of these and no others. */
function isOf({ attempts, pieces: count }: Running, pieces: readonly CompletePiece[]): boolean {
  const these = sha256();
  for (const { attempt } of pieces.slice(0, count)) these.update(attempt);
  return count <= pieces.length && these.digest('hex') === attempts.copy().digest('hex');
}

/** In their places, without a gap from where the sum ends. */
async function nextPieces({ db }: Deps, uploadId: string, { size }: Running): Promise<CompletePiece[]> {
  const found = await listPlacedFrom.all(db, { uploadId, start: size, limit: BATCH });
  const next: CompletePiece[] = [];
  let end = size;
  for (const piece of found as CompletePiece[]) {
    if (piece.start !== end) break;
    next.push(piece);
    end += piece.size;
  }
  return next;
}

/** Sums up files while their pieces arrive, so that little of one is left to be read when it is finished. */
export function createRunningSums() {
  const sums = new Map<string, Running>();
  /** One at a time reads on. */
  const works = new Map<string, Promise<unknown>>();
  const keep = (uploadId: string, running: Running): void => {
    sums.set(uploadId, running);
    const [oldest] = sums.keys();
    if (sums.size > MOST && oldest !== undefined) sums.delete(oldest);
  };
  const afterOthers = <T>(uploadId: string, work: () => Promise<T>): Promise<T> => {
    const done = (works.get(uploadId) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        if (works.get(uploadId) === settled) works.delete(uploadId);
      });
    works.set(uploadId, settled);
    return done;
  };
  return {
    /** Reads what has arrived in its place, as far as there is no gap. Whoever reads already finds it, too. */
    follow(ctx: Deps, uploadId: string): Promise<void> {
      if (works.has(uploadId)) return Promise.resolve();
      return afterOthers(uploadId, async () => {
        for (;;) {
          const running = sums.get(uploadId) ?? fresh();
          const pieces = await nextPieces(ctx, uploadId, running);
          const further = pieces.length === 0 ? undefined : await readOn(ctx, uploadId, running, pieces);
          if (!further) return;
          keep(uploadId, further);
        }
      });
    },
    /** The sum of these pieces, without a gap from the beginning; nothing if the file is gone. */
    sum: (ctx: Deps, uploadId: string, pieces: readonly CompletePiece[]): Promise<string | undefined> =>
      afterOthers(uploadId, async () => {
        const known = sums.get(uploadId);
        const running = known && isOf(known, pieces) ? known : fresh();
        const whole = await readOn(ctx, uploadId, running, pieces.slice(running.pieces));
        if (whole) keep(uploadId, whole);
        return whole?.hash.copy().digest('hex');
      }),
    forget: (uploadId: string): void => void sums.delete(uploadId),
  };
}
