/** Bytes of a file: from the first to before the last. */
export interface FilePart {
  from: number;
  to: number;
}

export interface RangeSending {
  size: number;
  /** Sent at the same time: while one is written down, and its answer on its way, others are sent. */
  atOnce: number;
  /** How much of a file the next part has. */
  partSize: () => number;
  /** Sends a part; how much has arrived from the beginning without a gap. */
  put: (part: FilePart) => Promise<number>;
  /** How much has arrived from the beginning without a gap. */
  ask: () => Promise<number>;
  onSent: (bytes: number) => void;
  /** Whether it is worth trying again. */
  mayPass: (error: unknown) => boolean;
  /** Waits until it is; `failures` of them came one after the other. May throw the error instead. */
  pause: (error: unknown, failures: number) => Promise<void>;
}

/** Of a file, as `Content-Range` names them; none is a question. */
export const contentRange = ({ from, to }: FilePart, size: number): string =>
  to > from ? `bytes ${from}-${to - 1}/${size}` : `bytes */${size}`;

/** The body of a range. A question needs one too, because a PUT without a body is refused with 411; the server ignores it. */
export const rangeBody = ({ from, to }: FilePart, file: Blob): Blob =>
  to > from ? file.slice(from, to, 'application/octet-stream') : new Blob(['{}'], { type: 'application/octet-stream' });

/**
 * Sends a file in parts, some at once, from where it was left off. What failed is sent again one by one, as the answer to each says
 * whether the next has arrived after all: a part that comes twice costs the server a copy of the file.
 */
export async function sendRanges(sending: RangeSending, received = 0): Promise<void> {
  const { size, atOnce, partSize, put, ask, onSent, mayPass, pause } = sending;
  let arrived = received;
  let next = received;
  let ahead: FilePart[] = [];
  let lost: FilePart[] = [];
  let failures = 0;

  const note = (answer: number): void => {
    arrived = Math.max(arrived, answer);
    ahead = ahead.filter(({ from }) => from >= arrived);
    lost = lost.filter(({ to }) => to > arrived);
    onSent(ahead.reduce((sum, { from, to }) => sum + to - from, arrived));
  };
  const takeNext = (): FilePart | undefined => {
    next = Math.max(next, arrived);
    if (next >= size) return undefined;
    const part = { from: next, to: Math.min(size, next + partSize()) };
    next = part.to;
    return part;
  };

  /** Until there is nothing left, or one fails: then those that are under way are waited for. */
  async function round(): Promise<unknown[]> {
    const isMending = lost.length > 0;
    const errors: unknown[] = [];
    const work = async () => {
      while (errors.length === 0) {
        const part = isMending ? lost.shift() : takeNext();
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
    await Promise.all(Array.from({ length: isMending ? 1 : atOnce }, work));
    return errors;
  }

  while (arrived < size) {
    const errors = await round();
    const final = errors.find((error) => !mayPass(error));
    if (final !== undefined) throw final;
    const isGone = errors.length === 0 && lost.length === 0 && next >= size && arrived < size;
    const [error] = isGone ? [new Error('Parts of the file that had arrived are gone.')] : errors;
    if (error === undefined) continue;
    failures += 1;
    await pause(error, failures);
    note(await ask().catch(() => arrived));
    if (isGone) {
      next = arrived;
      ahead = [];
    }
  }
}
