import { serialize } from 'node:v8';
import { serveRequests } from '../../workers/serve-requests.ts';
import { type HistoryRequest, readRecords } from './history-work.ts';

/** Batches of one chunk: the server reads a chunk without a pause. */
const MAX_CHUNK = 200;

/** Chunks are serialized separately, so that the server can read them one by one. */
serveRequests(async (request: HistoryRequest) => {
  const received = await readRecords(request);
  const chunks: Buffer[] = [];
  for (let at = 0; at < received.length; at += MAX_CHUNK) chunks.push(serialize(received.slice(at, at + MAX_CHUNK)));
  return chunks;
});
