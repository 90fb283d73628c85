import { ApiError, contentRange, type FilePart, rangeBody, sendRanges } from '@mooring/contract';

const MIB = 1024 * 1024;
const MIN_CHUNK_BYTES = MIB / 4;
const MAX_CHUNK_BYTES = 8 * MIB;
/** Chunks that take about this long show steady progress and lose little when the connection breaks. */
const TARGET_CHUNK_MS = 700;
/** Fewer than the connections a browser opens to one server, so that pages can still load. */
const CONCURRENCY = 3;
const INITIAL_WAIT_MS = 500;
export const MAX_WAIT_MS = 10_000;

/** True if a retry can help: the connection broke, or the server is busy. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;

/** Waits for a delay, or until the browser reports a network. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });

export interface SendingProgress {
  /** Bytes that have arrived. */
  sent: number;
  /** Connection lost; retrying. */
  isWaiting: boolean;
}

interface ChunkedUpload {
  signal: AbortSignal;
  /** Sends a chunk, or asks how much has arrived. The response tells the number of bytes. */
  put: (chunk: { headers: { 'content-range': string }; file: Blob }) => Promise<{ received: number }>;
  onProgress: (progress: SendingProgress) => void;
}

/** Uploads a file in chunks, and resumes after lost connections. */
export async function uploadInChunks(file: File, { signal, put, onProgress }: ChunkedUpload): Promise<void> {
  let size = MIN_CHUNK_BYTES;
  let sent = 0;
  const send = async (chunk: FilePart) => {
    const headers = { 'content-range': contentRange(chunk, file.size) };
    return (await put({ headers, file: rangeBody(chunk, file) })).received;
  };
  const putChunk = async (chunk: FilePart) => {
    const began = performance.now();
    const received = await send(chunk);
    const isQuick = performance.now() - began < TARGET_CHUNK_MS;
    // The first chunks start together, so only one of them may double the chunk size.
    if (chunk.to - chunk.from === size)
      size = isQuick ? Math.min(MAX_CHUNK_BYTES, size * 2) : Math.max(MIN_CHUNK_BYTES, size / 2);
    return received;
  };
  const fetchReceived = () => send({ from: 0, to: 0 });
  const onSent = (bytes: number) => {
    sent = bytes;
    onProgress({ sent, isWaiting: false });
  };
  const canResume = (error: unknown) => !signal.aborted && isRetryable(error);
  const wait = (_error: unknown, failures: number) => {
    onProgress({ sent, isWaiting: true });
    return pause(Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** failures), signal);
  };
  const fetchReceivedWithRetry = async (failures = 1): Promise<number> =>
    fetchReceived().catch(async (error: unknown) => {
      if (!canResume(error)) throw error;
      await wait(error, failures);
      return fetchReceivedWithRetry(failures + 1);
    });
  onProgress({ sent, isWaiting: false });
  const received = await fetchReceivedWithRetry();
  onSent(received);
  const options = { atOnce: CONCURRENCY, put: putChunk, fetchReceived, onSent, mayPass: canResume, pause: wait };
  await sendRanges({ size: file.size, partSize: () => size, ...options }, received);
}
