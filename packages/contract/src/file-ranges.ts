/** A range of bytes of a file; the end is exclusive. */
export interface FilePart {
  from: number;
  to: number;
}

export interface RangeSending {
  size: number;
  /** Parts sent concurrently: while the server stores one, others are in transfer. */
  atOnce: number;
  /** The size of the next part. */
  partSize: () => number;
  /** Sends a part. Returns the number of bytes received from the start, without gaps. */
  put: (part: FilePart) => Promise<number>;
  /** The number of bytes received from the start, without gaps. */
  fetchReceived: () => Promise<number>;
  onSent: (bytes: number) => void;
  /** Whether to retry after this error. */
  mayPass: (error: unknown) => boolean;
  /** Waits before a retry; `failures` is the number of failures in a row. May throw the error instead. */
  pause: (error: unknown, failures: number) => Promise<void>;
}

/** A Content-Range header. Without a range, it queries the received size. */
export const contentRange = ({ from, to }: FilePart, size: number): string =>
  to > from ? `bytes ${from}-${to - 1}/${size}` : `bytes */${size}`;

/**
 * The body of a range. A status request needs one too, because a PUT without a body is rejected with 411; the server
 * ignores it.
 */
export const rangeBody = ({ from, to }: FilePart, file: Blob): Blob =>
  to > from ? file.slice(from, to, 'application/octet-stream') : new Blob(['{}'], { type: 'application/octet-stream' });

/**
 * Sends the remaining parts of a file, several at a time. Failed parts are resent one by one: each response shows
 * whether the next one arrived after all, and a duplicate part costs the server a copy of the file.
 */
export async function sendRanges(sending: RangeSending, received = 0): Promise<void> {
  const { size, atOnce, partSize, put, fetchReceived, onSent, mayPass, pause } = sending;
  let confirmed = received;
  let next = received;
  let ahead: FilePart[] = [];
  let lost: FilePart[] = [];
  let failures = 0;

  const note = (answer: number): void => {
    confirmed = Math.max(confirmed, answer);
    ahead = ahead.filter(({ from }) => from >= confirmed);
    lost = lost.filter(({ to }) => to > confirmed);
    onSent(ahead.reduce((sum, { from, to }) => sum + to - from, confirmed));
  };
  const takeNext = (): FilePart | undefined => {
    next = Math.max(next, confirmed);
    if (next >= size) return undefined;
    const part = { from: next, to: Math.min(size, next + partSize()) };
    next = part.to;
    return part;
  };

  /** Runs until no part is left or one fails; in that case, waits for the parts in transfer. */
  async function round(): Promise<unknown[]> {
    const isResending = lost.length > 0;
    const errors: unknown[] = [];
    const work = async () => {
      while (errors.length === 0) {
        const part = isResending ? lost.shift() : takeNext();
        if (!part) return;
        try {
          const answer = await put(part);
          ahead.push(part);
          note(answer);
          failures = 0;
        } catch (error) {
          lost = [...lost, part].sort((a, b) => a.from - b.from);
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: isResending ? 1 : atOnce }, work));
    return errors;
  }

  while (confirmed < size) {
    const errors = await round();
    const final = errors.find((error) => !mayPass(error));
    if (final !== undefined) throw final;
    const isGone = errors.length === 0 && lost.length === 0 && next >= size && confirmed < size;
    const [error] = isGone ? [new Error('The server no longer has parts of the file that had arrived.')] : errors;
    if (error === undefined) continue;
    failures += 1;
    await pause(error, failures);
    note(await fetchReceived().catch(() => confirmed));
    if (isGone) {
      next = confirmed;
      ahead = [];
    }
  }
}
