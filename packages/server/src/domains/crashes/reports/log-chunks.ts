import type { BatchStream } from '../../ingest/index.ts';
import type { Fields } from './values.ts';

/** A log with what is known of how it came. */
export interface Arrived {
  batch: number | null;
  installId: string;
  receivedAt: number;
  isHistory?: boolean | undefined;
  type: string;
  at: number;
  log: Fields;
}

/** Some logs, and the batches that are done with once they are kept. */
export interface LogChunk {
  arrived: readonly Arrived[];
  from: number;
  to: number;
}

/** Logs in memory at a time, and bytes of JSON of their batches. */
export const MAX_CHUNK_LOGS = 200;
const MAX_CHUNK_BYTES = 4 * 1024 * 1024;

/** Gathers logs of many small batches, and cuts large ones up: a chunk never ends behind a batch that is not all read. */
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
