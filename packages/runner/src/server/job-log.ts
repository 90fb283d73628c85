import { setTimeout } from 'node:timers/promises';
import { ApiError, LOG_CHUNK_BYTES } from '@mooring/contract';

const SEND_INTERVAL_MS = 200;
const MAX_WAIT_MS = 15_000;
/** Larger than the default log limit of servers. */
const MAX_WAITING_BYTES = 64 * 1_048_576;

export interface JobLog {
  /** Appends complete or partial lines. */
  write(text: string): void;
  /** Resolves when the whole log has arrived. */
  end(): Promise<void>;
}

export interface LogOptions {
  /** Position to continue the log at. */
  offset: number;
  /** Sends bytes at an offset. Returns the new size of the log, and whether it has reached its limit. */
  send(offset: number, bytes: Uint8Array): Promise<{ size: number; isFull: boolean }>;
  mask(line: string): string;
  /** Called when the server has reassigned the job. */
  onLost(): void;
  /** Aborted when the runner stops. Unsent data is discarded, as the job goes to another runner. */
  stopping?: AbortSignal;
}

/** Truncates bytes at a character boundary. */
function truncate(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Sends a log in parts, with retries. The server ignores duplicates. */
export function createJobLog({ offset, send, mask, onLost, stopping }: LogOptions): JobLog {
  let line = '';
  let waiting: Buffer[] = [];
  let size = 0;
  let omitted = 0;
  let isFull = false;
  let isLost = false;
  let isEnding = false;

  const enqueue = (bytes: Buffer) => {
    waiting.push(bytes);
    size += bytes.length;
  };
  const noteOmitted = () => {
    if (omitted > 0)
      enqueue(
        Buffer.from(`\n## Omitted ${omitted} bytes, which were written faster than the runner could send them.\n`),
      );
    omitted = 0;
  };

  /** Limits the memory for builds with excessive output. */
  const add = (text: string) => {
    if (isFull) return;
    const bytes = Buffer.from(text);
    if (size + bytes.length > MAX_WAITING_BYTES) {
      omitted += bytes.length;
      return;
    }
    noteOmitted();
    enqueue(bytes);
  };

  async function sendPart(): Promise<void> {
    // Concatenate only enough for one part, to avoid repeated copying of the rest.
    let count = 0;
    for (let taken = 0; count < waiting.length && taken < LOG_CHUNK_BYTES; count += 1)
      taken += waiting[count]?.length ?? 0;
    const first = Buffer.concat(waiting.slice(0, count));
    const part = truncate(first, LOG_CHUNK_BYTES);
    for (let wait = 250; !isLost; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        const response = await send(offset, part);
        offset = response.size;
        isFull = response.isFull;
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
      else await setTimeout(SEND_INTERVAL_MS / 4);
      if (!isEnding && size < LOG_CHUNK_BYTES) await setTimeout(SEND_INTERVAL_MS);
    }
  })();

  return {
    write(text) {
      // Discard output early, so that excessive output costs little.
      if (isFull || isLost) {
        line = '';
        return;
      }
      // A secret may be split between chunks, so masking needs complete lines.
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
      if (!isFull) noteOmitted();
      isEnding = true;
      await sending;
    },
  };
}
