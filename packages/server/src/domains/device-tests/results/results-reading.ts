import { compose, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Ctx, workOwner } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { badRequest, unavailable } from '../../../kernel/errors.ts';
import { defineProcess, WorkerLimit } from '../../../workers/index.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { type ResultsRequest, type ResultsWork, resultsWork } from './results-work.ts';

const results = defineProcess<ResultsRequest, unknown>({
  name: 'the process that reads test results',
  file: new URL('./results.process.ts', import.meta.url),
  memoryMb: 768,
  buffersMb: 384,
  limitMs: 60 * SECOND,
});

/** Plain text, or compressed if it comes from another process or from storage. */
export type PackedText = string | Uint8Array | Readable;

type Packed<R> = R extends { text: string } ? Omit<R, 'text'> & { text: string | Uint8Array } : R;

/** Characters to process in this process: that takes a few milliseconds, less than a request to another process. */
const MAX_INLINE = 64 * 1024;

/** Counts characters of nested values. */
function measure(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const one of value instanceof Map ? value.values() : Object.values(value)) {
    sum += measure(one);
    if (sum > MAX_INLINE) break;
  }
  return sum;
}

export const isSmall = (input: unknown): boolean => measure(input) <= MAX_INLINE;

type ResultsResponse<K extends keyof ResultsWork> = Packed<ReturnType<ResultsWork[K]>>;

/**
 * Processes test results: few in this process, more in a separate one with limits on time and memory. Throws `WorkerLimit`
 * if these are exceeded.
 */
export async function workWithinLimits<K extends keyof ResultsWork>(
  ctx: Pick<Ctx, 'workers'>,
  name: K,
  input: Parameters<ResultsWork[K]>[0],
): Promise<ResultsResponse<K>> {
  try {
    const work = resultsWork[name] as (input: unknown) => unknown;
    const request = { name, input } as ResultsRequest;
    const share = { owner: workOwner(ctx) };
    return (
      isSmall(input) ? work(input) : await ctx.workers.process(results).request(request, share)
    ) as ResultsResponse<K>;
  } catch (error) {
    throw error instanceof Unreadable ? badRequest(error.message) : error;
  }
}

/** Like `workWithinLimits`, for requests: reports exceeded limits as an error. */
export async function workOnResults<K extends keyof ResultsWork>(
  ctx: Pick<Ctx, 'workers'>,
  name: K,
  input: Parameters<ResultsWork[K]>[0],
): Promise<ResultsResponse<K>> {
  try {
    return await workWithinLimits(ctx, name, input);
  } catch (error) {
    if (!(error instanceof WorkerLimit)) throw error;
    throw name === 'readImport'
      ? badRequest(`Can't read this report. ${error.message} Split it into several files and import each.`)
      : unavailable(`Can't read the results of this test run. ${error.message} Try again later.`);
  }
}

async function* inflated(start: string, text: Uint8Array | Readable, end: string): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  yield* compose(text instanceof Readable ? text : Readable.from([text]), createGunzip());
  yield Buffer.from(end);
}

const join = (start: string, text: PackedText, end: string): string | Readable =>
  typeof text === 'string' ? start + text + end : Readable.from(inflated(start, text, end), { objectMode: false });

/** JSON whose last field is already serialized text; streamed if it is large. */
export const writeWith = (fields: object, name: string, text: PackedText): string | Readable =>
  join(`${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:`, text, '}');
