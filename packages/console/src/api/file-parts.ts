import { ApiError } from '@mooring/contract';

const MIB = 1024 * 1024;
const SMALLEST = MIB / 4;
const LARGEST = 8 * MIB;
/** A part that takes about as long shows how it goes, and loses little when the connection breaks. */
const PART_MS = 700;
const FIRST_WAIT = 500;
export const LONGEST_WAIT = 10_000;

/** Whether the same can be tried again: the connection broke, or the server is busy. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;

/** Until a while has passed, or the browser says that there is a network again. */
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
  /** The connection was lost, and is tried again. */
  isWaiting: boolean;
}

interface PartSending {
  signal: AbortSignal;
  /** Sends a part, or asks how much has arrived; the answer says it. */
  put: (part: { headers: { 'content-range': string }; file: Blob }) => Promise<{ received: number }>;
  onProgress: (progress: SendingProgress) => void;
}

/** Sends a file part by part. One of which some has arrived, or whose connection breaks, goes on where it was. */
export async function sendInParts(file: File, { signal, put, onProgress }: PartSending): Promise<void> {
  const send = (from: number, to: number) =>
    put({
      headers: { 'content-range': to > from ? `bytes ${from}-${to - 1}/${file.size}` : `bytes */${file.size}` },
      file: file.slice(from, to, 'application/octet-stream'),
    });
  onProgress({ sent: 0, isWaiting: false });
  let at = 0;
  let part = SMALLEST;
  let failures = 0;
  let isAsking = true;
  while (isAsking || at < file.size) {
    try {
      const began = performance.now();
      const answer = await send(at, isAsking ? at : Math.min(file.size, at + part));
      if (!isAsking)
        part = performance.now() - began < PART_MS ? Math.min(LARGEST, part * 2) : Math.max(SMALLEST, part / 2);
      at = answer.received;
      failures = 0;
      isAsking = false;
      onProgress({ sent: at, isWaiting: false });
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      failures += 1;
      isAsking = true;
      onProgress({ sent: at, isWaiting: true });
      await pause(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures), signal);
    }
  }
}
