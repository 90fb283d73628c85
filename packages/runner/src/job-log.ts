import { setTimeout } from 'node:timers/promises';
import { ApiError, LOG_CHUNK_BYTES } from '@mooring/contract';

const EVERY = 200;
const LONGEST_WAIT = 15_000;

export interface JobLog {
  /** Whole lines or parts of them, as they come. */
  write(text: string): void;
  /** All that was written has arrived. */
  end(): Promise<void>;
}

export interface LogOptions {
  /** Where the log goes on. */
  offset: number;
  /** Sends bytes at an offset; says how long the log is then. */
  send(offset: number, bytes: Uint8Array): Promise<number>;
  mask(line: string): string;
  /** The server says that the job is no longer ours. */
  onLost(): void;
}

/** Between two characters, at most so many bytes. */
function cut(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Sends a log in parts, each until the server has it: what is sent again is harmless. */
export function createJobLog({ offset, send, mask, onLost }: LogOptions): JobLog {
  let line = '';
  let waiting = Buffer.alloc(0);
  let isLost = false;
  let isEnding = false;

  const add = (text: string) => {
    waiting = Buffer.concat([waiting, Buffer.from(text)]);
  };

  async function sendPart(): Promise<void> {
    const part = cut(waiting, LOG_CHUNK_BYTES);
    for (let wait = 250; !isLost; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        offset = await send(offset, part);
        waiting = waiting.subarray(part.length);
        return;
      } catch (error) {
        if (error instanceof ApiError && [400, 401, 409].includes(error.status)) {
          isLost = true;
          onLost();
          return;
        }
        await setTimeout(wait);
      }
    }
  }

  const sending = (async () => {
    while (!isLost && !(isEnding && waiting.length === 0)) {
      if (waiting.length > 0) await sendPart();
      else await setTimeout(EVERY / 4);
      if (!isEnding && waiting.length < LOG_CHUNK_BYTES) await setTimeout(EVERY);
    }
  })();

  return {
    write(text) {
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
      isEnding = true;
      await sending;
    },
  };
}
