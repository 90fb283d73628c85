import { ApiError, contentRange, type FilePart, rangeBody, sendRanges } from '@mooring/contract';

const MIB = 1024 * 1024;
const SMALLEST = MIB / 4;
const LARGEST = 8 * MIB;
/** A part that takes about as long shows how it goes, and loses little when the connection breaks. */
const PART_MS = 700;
/** Fewer than the connections that a browser has for one server: pages are still read meanwhile. */
const AT_ONCE = 3;
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
  let size = SMALLEST;
  let sent = 0;
  const send = async (part: FilePart) => {
    const headers = { 'content-range': contentRange(part, file.size) };
    return (await put({ headers, file: rangeBody(part, file) })).received;
  };
  const putPart = async (part: FilePart) => {
    const began = performance.now();
    const received = await send(part);
    const isQuick = performance.now() - began < PART_MS;
    // The first parts are sent at once: each must not double it on its own.
    if (part.to - part.from === size) size = isQuick ? Math.min(LARGEST, size * 2) : Math.max(SMALLEST, size / 2);
    return received;
  };
  const ask = () => send({ from: 0, to: 0 });
  const onSent = (bytes: number) => {
    sent = bytes;
    onProgress({ sent, isWaiting: false });
  };
  const mayGoOn = (error: unknown) => !signal.aborted && mayPass(error);
  const wait = (_error: unknown, failures: number) => {
    onProgress({ sent, isWaiting: true });
    return pause(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures), signal);
  };
  const askFirst = async (failures = 1): Promise<number> =>
    ask().catch(async (error: unknown) => {
      if (!mayGoOn(error)) throw error;
      await wait(error, failures);
      return askFirst(failures + 1);
    });
  onProgress({ sent, isWaiting: false });
  const received = await askFirst();
  onSent(received);
  const how = { atOnce: AT_ONCE, put: putPart, ask, onSent, mayPass: mayGoOn, pause: wait };
  await sendRanges({ size: file.size, partSize: () => size, ...how }, received);
}
