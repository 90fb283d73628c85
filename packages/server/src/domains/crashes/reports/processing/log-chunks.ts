import type { BatchStream } from '../../../ingest/index.ts';
import type { Fields } from '../values.ts';

/** A log with its batch, time and device. */
export interface Arrived {
  batch: number | null;
  installId: string;
  receivedAt: number;
  isHistory?: boolean | undefined;
  type: string;
  at: number;
  log: Fields;
}

/** Some logs, and the range of batches that are complete once they are stored. */
export interface LogChunk {
  arrived: readonly Arrived[];
  from: number;
  to: number;
}

/** Maximum number of logs in memory, and bytes of JSON of their batches. */
export const MAX_CHUNK_LOGS = 200;
const MAX_CHUNK_BYTES = 4 * 1024 * 1024;

/** Combines logs of small batches, and splits large ones. A chunk's range ends only after complete batches. */
export async function* gatherChunks({ from, batches }: BatchStream): AsyncGenerator<LogChunk> {
  let arrived: Arrived[] = [];
  let bytes = 0;
  let passed = from;
  let to = from;
  const end = (): LogChunk => {
    const chunk = { arrived, from: passed, to };
    [arrived, bytes, passed] = [[], 0, to];
    return chunk;
  };
  for await (const { number, installId, receivedAt, isHistory, logs, size = 0 } of batches) {
    for (const { type, at, value: log } of logs) {
      if (arrived.length === MAX_CHUNK_LOGS) yield end();
      arrived.push({ batch: number, installId, receivedAt, isHistory, type, at, log });
    }
    to = number;
    if (logs.length > 0) bytes += size;
    if (bytes >= MAX_CHUNK_BYTES) yield end();
  }
  if (to > passed) yield end();
}
