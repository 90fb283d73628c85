import { createHash, type Hash } from 'node:crypto';
import type { Deps } from '../context.ts';
import { freeBytes } from '../kernel/files/free-bytes.ts';
import type { CompletedChunk } from './completed-chunks.ts';
import { listPlacedFrom } from './uploads.store.ts';
import { placeKey } from './uploads.ts';

/** Digest of the first part of a file, with the chunks it covers. */
interface Running {
  hash: Hash;
  /** Digest of their attempts, in order. */
  attempts: Hash;
  chunks: number;
  size: number;
}

/** Maximum number of digests. The oldest is dropped, and computed again when its upload is finished. */
const MAX_SUMS = 200;
/** Chunks per query. */
const BATCH = 64;

const sha256 = () => createHash('sha256');
const fresh = (): Running => ({ hash: sha256(), attempts: sha256(), chunks: 0, size: 0 });

/**
 * Adds the next chunks to a digest; undefined if the file no longer exists. An error leaves the original digest
 * unchanged.
 */
async function readOn(
  { blobs }: Deps,
  uploadId: string,
  running: Running,
  chunks: readonly CompletedChunk[],
): Promise<Running | undefined> {
  const hash = running.hash.copy();
  const attempts = running.attempts.copy();
  for (const { attempt } of chunks) attempts.update(attempt);
  const size = chunks.reduce((sum, chunk) => sum + chunk.size, running.size);
  if (size > running.size) {
    const blob = await blobs.get(placeKey(uploadId), { start: running.size, end: size - 1 });
    if (!blob) return undefined;
    for await (const chunk of blob.stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      freeBytes(chunk);
    }
  }
  return { hash, attempts, chunks: running.chunks + chunks.length, size };
}

/** True if the digest covers exactly the first of these chunks. */
function matchesChunks({ attempts, chunks: count }: Running, chunks: readonly CompletedChunk[]): boolean {
  const these = sha256();
  for (const { attempt } of chunks.slice(0, count)) these.update(attempt);
  return count <= chunks.length && these.digest('hex') === attempts.copy().digest('hex');
}

/** Placed chunks that continue the digest without a gap. */
async function listNextChunks({ db }: Deps, uploadId: string, { size }: Running): Promise<CompletedChunk[]> {
  const found = await listPlacedFrom.all(db, { uploadId, start: size, limit: BATCH });
  const next: CompletedChunk[] = [];
  let end = size;
  for (const chunk of found as CompletedChunk[]) {
    if (chunk.start !== end) break;
    next.push(chunk);
    end += chunk.size;
  }
  return next;
}

/** Computes the digest of files while their chunks arrive, so that little is left to read at the end. */
export function createRunningSums() {
  const sums = new Map<string, Running>();
  /** At most one request per upload reads at a time. */
  const works = new Map<string, Promise<unknown>>();
  const save = (uploadId: string, running: Running): void => {
    sums.set(uploadId, running);
    const [oldest] = sums.keys();
    if (sums.size > MAX_SUMS && oldest !== undefined) sums.delete(oldest);
  };
  const afterOthers = <T>(uploadId: string, work: () => Promise<T>): Promise<T> => {
    const done = (works.get(uploadId) ?? Promise.resolve()).then(work);
    const finished = done
      .catch(() => undefined)
      .finally(() => {
        if (works.get(uploadId) === finished) works.delete(uploadId);
      });
    works.set(uploadId, finished);
    return done;
  };
  return {
    /** Reads the placed chunks up to the first gap. A read in progress covers new ones, too. */
    follow(ctx: Deps, uploadId: string): Promise<void> {
      if (works.has(uploadId)) return Promise.resolve();
      return afterOthers(uploadId, async () => {
        for (;;) {
          const running = sums.get(uploadId) ?? fresh();
          const chunks = await listNextChunks(ctx, uploadId, running);
          const further = chunks.length === 0 ? undefined : await readOn(ctx, uploadId, running, chunks);
          if (!further) return;
          save(uploadId, further);
        }
      });
    },
    /** Digest of these chunks, which are contiguous from the start; undefined if the file no longer exists. */
    sum: (ctx: Deps, uploadId: string, chunks: readonly CompletedChunk[]): Promise<string | undefined> =>
      afterOthers(uploadId, async () => {
        const existing = sums.get(uploadId);
        const running = existing && matchesChunks(existing, chunks) ? existing : fresh();
        const whole = await readOn(ctx, uploadId, running, chunks.slice(running.chunks));
        if (whole) save(uploadId, whole);
        return whole?.hash.copy().digest('hex');
      }),
    discard: (uploadId: string): void => void sums.delete(uploadId),
  };
}
