import { setTimeout } from 'node:timers/promises';
import { ApiError, LOG_CHUNK_BYTES } from '@mooring/contract';

const EVERY = 200;
const LONGEST_WAIT = 15_000;
/** More than servers keep of one log, mostly. */
const MOST_WAITING = 64 * 1_048_576;

export interface JobLog {
  /** Whole lines or parts of them, as they come. */
  write(text: string): void;
  /** All that was written has arrived. */
  end(): Promise<void>;
}

export interface LogOptions {
  /** Where the log goes on. */
  offset: number;
  /** Sends bytes at an offset; says how long the log is then, and whether the server keeps no more of it. */
  send(offset: number, bytes: Uint8Array): Promise<{ size: number; isFull: boolean }>;
  mask(line: string): string;
  /** The server says that the job is no longer ours. */
  onLost(): void;
  /** The runner stops: what the server does not take now goes with it, as its job goes to another. */
  stopping?: AbortSignal;
}

/** Between two characters, at most so many bytes. */
function cut(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Sends a log in parts, each until the server has it: what is sent again is harmless. */
export function createJobLog({ offset, send, mask, onLost, stopping }: LogOptions): JobLog {
  let line = '';
  let waiting: Buffer[] = [];
  let size = 0;
  let leftOut = 0;
  let isFull = false;
  let isLost = false;
  let isEnding = false;

  const keep = (bytes: Buffer) => {
    waiting.push(bytes);
    size += bytes.length;
  };
  const noteLeftOut = () => {
    if (leftOut > 0)
      keep(Buffer.from(`\n## ${leftOut} bytes are left out: they came faster than they could be sent.\n`));
    leftOut = 0;
  };

  /** A build that prints without an end must not fill the memory of the runner. */
  const add = (text: string) => {
    if (isFull) return;
    const bytes = Buffer.from(text);
    if (size + bytes.length > MOST_WAITING) {
      leftOut += bytes.length;
      return;
    }
    noteLeftOut();
    keep(bytes);
  };

  async function sendPart(): Promise<void> {
    // Enough for one part, so that the rest is not copied again and again.
    let count = 0;
    for (let taken = 0; count < waiting.length && taken < LOG_CHUNK_BYTES; count += 1)
      taken += waiting[count]?.length ?? 0;
    const first = Buffer.concat(waiting.slice(0, count));
    const part = cut(first, LOG_CHUNK_BYTES);
    for (let wait = 250; !isLost; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        const answer = await send(offset, part);
        offset = answer.size;
        isFull = answer.isFull;
        const rest = first.subarray(part.length);
        waiting = isFull ? [] : [...(rest.length > 0 ? [rest] : []), ...waiting.slice(count)];
        size = waiting.reduce((sum, one) => sum + one.length, 0);
        return;
      } catch (error) {
        if (error instanceof ApiError && [400, 401, 409].includes(error.status)) {
          isLost = true;
          onLost();
          return;
        }
        if (stopping?.aborted) {
          isLost = true;
          return;
        }
        await setTimeout(wait, undefined, stopping ? { signal: stopping } : {}).catch(() => undefined);
      }
    }
  }

  const sending = (async () => {
    while (!isLost && !(isEnding && waiting.length === 0)) {
      if (waiting.length > 0) await sendPart();
      else await setTimeout(EVERY / 4);
      if (!isEnding && size < LOG_CHUNK_BYTES) await setTimeout(EVERY);
    }
  })();

  return {
    write(text) {
      // Whoever prints without an end costs no more than to read it.
      if (isFull || isLost) {
        line = '';
        return;
      }
      // A secret may come in two pieces, so a line is looked at as a whole.
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      if (line.length > LOG_CHUNK_BYTES) {
        lines.push(line);
        line = '';
      }
      if (lines.length > 0) add(`${lines.map(mask).join('\n')}\n`);
    },
    async end() {
      if (line !== '') add(`${mask(line)}\n`);
      line = '';
      if (!isFull) noteLeftOut();
      isEnding = true;
      await sending;
    },
  };
}
