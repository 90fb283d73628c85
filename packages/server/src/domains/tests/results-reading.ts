import { compose, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Ctx, workOwner } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import { badRequest, unavailable } from '../../kernel/errors.ts';
import { defineProcess, WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { type ResultsQuestion, type ResultsWork, resultsWork } from './results-work.ts';

const results = defineProcess<ResultsQuestion, unknown>({
  name: 'the process that reads test results',
  file: new URL('./results.process.ts', import.meta.url),
  memoryMb: 768,
  buffersMb: 384,
  limitMs: 60 * SECOND,
});

/** Text as it is, or compressed if it was made in another process or is kept. */
export type PackedText = string | Uint8Array | Readable;

type Packed<R> = R extends { text: string } ? Omit<R, 'text'> & { text: string | Uint8Array } : R;

/** Characters that are worked on here: that takes a few milliseconds, asking another process takes longer. */
const MAX_INLINE = 64 * 1024;

/** Counts characters, not deeper than work has them. */
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

type Answer<K extends keyof ResultsWork> = Packed<ReturnType<ResultsWork[K]>>;

/** Works on test results: on few here, on more in a process with limits of time and memory. Throws `WorkerLimit` at those. */
export async function workWithinLimits<K extends keyof ResultsWork>(
  ctx: Pick<Ctx, 'workers'>,
  name: K,
  input: Parameters<ResultsWork[K]>[0],
): Promise<Answer<K>> {
  try {
    const work = resultsWork[name] as (input: unknown) => unknown;
    const question = { name, input } as ResultsQuestion;
    const share = { owner: workOwner(ctx) };
    return (isSmall(input) ? work(input) : await ctx.workers.process(results).ask(question, share)) as Answer<K>;
  } catch (error) {
    throw error instanceof Unreadable ? badRequest(error.message) : error;
  }
}

/** Works on test results for a request, and answers with an error if they are too large. */
export async function workOnResults<K extends keyof ResultsWork>(
  ctx: Pick<Ctx, 'workers'>,
  name: K,
  input: Parameters<ResultsWork[K]>[0],
): Promise<Answer<K>> {
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

/** JSON whose last field is a text that was written elsewhere: whole if it is small, else part by part. */
export const writeWith = (fields: object, name: string, text: PackedText): string | Readable =>
  join(`${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:`, text, '}');
