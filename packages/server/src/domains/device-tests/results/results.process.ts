import { gzipSync } from 'node:zlib';
import { serveRequests } from '../../../workers/serve-requests.ts';
import { type ResultsRequest, resultsWork } from './results-work.ts';

const FASTEST = 1;

/** Compresses texts, which the server stores and sends without decompressing them. */
function pack(result: unknown): unknown {
  const { text, ...rest } = (result ?? {}) as { text?: string };
  return text === undefined ? result : { ...rest, text: gzipSync(text, { level: FASTEST }) };
}

serveRequests(({ name, input }: ResultsRequest) => pack((resultsWork[name] as (input: unknown) => unknown)(input)));
