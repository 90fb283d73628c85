import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { answerOf } from '../answers.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { Engine, Part } from '../engine.ts';
import type { Answer, Question } from '../questions.ts';
import { ClickhouseError, type Client, createClient } from './client.ts';
import { createLoader, tableStatement } from './loading.ts';
import { reading } from './reading.ts';
import { findRows } from './statements.ts';

export interface ClickhouseOptions {
  url: URL;
  memoryMb: number;
  timeoutSeconds: number;
  log: Log;
}

/** How often a question is asked again because what it read from went away. */
const ATTEMPTS = 3;
const NO_TABLE = 60;

/** Questions go to ClickHouse, which holds copies of parts. Their files stay the truth, and DuckDB writes those. */
export function createClickhouseEngine(
  duckdb: DuckdbEngine,
  { url, memoryMb, timeoutSeconds, log }: ClickhouseOptions,
): Engine {
  const client: Client = createClient({ url, memoryMb, timeoutSeconds, log });
  const loader = createLoader(client, duckdb);
  let isReady = false;
  const questions = createSemaphore(4, {
    longest: 100,
    full: () => unavailable('Too many questions about telemetry wait already; try again.'),
  });

  /** What takes longer goes on, and whoever asks later finds it done. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const timer = new AbortController();
    work.catch(() => undefined);
    const late = wait(timeoutSeconds * SECOND, undefined, { signal: timer.signal }).then(() => {
      throw unavailable('ClickHouse still takes in what this is counted from; try again in a minute.');
    });
    late.catch(() => undefined);
    return Promise.race([work, late]).finally(() => timer.abort());
  }

  async function askOnce(question: Question, parts: readonly Part[]) {
    if (!isReady) await client.run(tableStatement);
    isReady = true;
    const loads = await inTime(loader.take(parts));
    const sources = parts.flatMap(({ id, day, forgotten = [] }) => {
      const load = loads.get(id);
      return load === undefined ? [] : [{ load, day, forgotten }];
    });
    if (sources.length < parts.length) return undefined;
    const rows = await findRows(question, reading(question, sources), client.rows);
    return (await loader.isThere(loads)) ? answerOf(question, rows) : undefined;
  }

  /** Nothing, if what it reads from went away meanwhile. */
  const tryToAsk = (question: Question, parts: readonly Part[]) =>
    askOnce(question, parts).catch((error: unknown) => {
      if (!(error instanceof ClickhouseError && error.number === NO_TABLE)) throw error;
      isReady = false;
      return undefined;
    });

  return {
    ...duckdb,
    kindsOf: () => ['logs'],
    held: async (ids) => new Set((await loader.find(ids)).keys()),
    ask: (question, parts) =>
      questions(async () => {
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          const answer = await tryToAsk(question, parts);
          if (answer !== undefined) return answer as Answer<typeof question.ask>;
        }
        throw unavailable('ClickHouse loses what this is counted from; try again.');
      }),
    prepare(parts) {
      loader
        .take(parts)
        .catch((err: unknown) =>
          log.warn({ err, parts: parts.map(({ id }) => id) }, 'parts were not taken in by ClickHouse'),
        );
    },
    drop: loader.drop,
    check: client.check,
    async close() {
      client.close();
      await duckdb.close();
    },
  };
}
