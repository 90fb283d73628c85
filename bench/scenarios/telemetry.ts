import { chmodSync, createReadStream, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { createDuckdbEngine } from '../../packages/server/src/telemetry/duckdb/index.ts';
import { getQueryDays, type TelemetryQuery } from '../../packages/server/src/telemetry/index.ts';
import { runSql } from '../../test-support/postgres.ts';
import { findProgram } from '../../tools/programs.mjs';
import { DAYS, LAST_DAY, writeCsv, writeDays } from '../fixtures/telemetry-fixtures.ts';
import { type Bench, type Contestant, median, number, peakRss, table } from '../harness.ts';

const days = (count: number) => ({ from: LAST_DAY - count + 1, to: LAST_DAY });
const some = { version: ['1.1.0', '1.2.0', '1.3.0'], country: ['DE'] };

interface Case {
  what: string;
  limitMs: number;
  question: TelemetryQuery;
  /**
   * The same query over rows, if it is simple to express: in PostgreSQL, and in ClickHouse unless it has its own query.
   */
  sql?: string;
  clickhouse?: string;
}

const questions: Case[] = [
  {
    what: 'active devices, 3 versions in one country, 62 days',
    limitMs: 60,
    question: { kind: 'activeDevices', range: days(62), filter: some },
    sql: `SELECT day, count(DISTINCT device) FROM logs WHERE version IN ('1.1.0','1.2.0','1.3.0') AND country = 'DE' GROUP BY day`,
  },
  {
    what: 'active devices of a day, 7 and 28 days, unfiltered, 62 days',
    limitMs: 700,
    question: { kind: 'activeDevices', range: days(62), filter: {} },
    sql: 'SELECT day, count(DISTINCT device) FROM logs GROUP BY day',
  },
  {
    what: 'values of a property of an event, 45 days and those before',
    limitMs: 900,
    question: { kind: 'propertyValues', range: days(45), filter: {}, name: 'event 3', property: 'items', limit: 30 },
    sql: `SELECT items, count(*) FROM logs WHERE name = 'event 3' GROUP BY items ORDER BY 2 DESC LIMIT 30`,
  },
  {
    what: 'funnel of three events, 28 days',
    limitMs: 400,
    question: {
      kind: 'funnel',
      range: days(28),
      filter: {},
      steps: [{ name: 'event 1' }, { name: 'event 2' }, { name: 'event 3' }],
      withinMs: 7 * 86_400_000,
    },
    clickhouse: `SELECT countIf(level >= 1), countIf(level >= 2), countIf(level >= 3) FROM (SELECT device,
      windowFunnel(604800)(toDateTime(intDiv(ts, 1000)), name = 'event 1', name = 'event 2', name = 'event 3') AS level
      FROM logs WHERE day > ${LAST_DAY - 28} AND name IN ('event 1', 'event 2', 'event 3') GROUP BY device)`,
  },
  {
    what: 'all events with devices, 28 days and those before',
    limitMs: 900,
    question: {
      kind: 'events',
      range: days(28),
      filter: {},
      names: [],
      order: 'count',
      isDescending: true,
      skip: 0,
      limit: 30,
    },
  },
  {
    what: 'lengths of sessions, 28 days',
    limitMs: 700,
    question: { kind: 'sessionDurations', range: days(28), filter: {} },
  },
  {
    what: 'devices by model, 45 days and those before',
    limitMs: 700,
    question: { kind: 'devicesBy', range: days(45), filter: {}, dimension: 'model', limit: 30 },
  },
];

/** The same logs in ClickHouse, if it is available; each query in its syntax. */
async function startClickhouse(
  bench: Bench,
  csv: string,
): Promise<{ query(sql: string): Promise<void>; stop(): void } | undefined> {
  const program = findProgram('ClickHouse');
  if (program === undefined) return undefined;
  const file = bench.at('clickhouse');
  writeFileSync(file, program);
  const script = path.join(import.meta.dirname, '../peers/clickhouse.ts');
  const server: Contestant = await bench.startScript('ClickHouse', script, file);
  const url = `http://127.0.0.1:${server.port}/`;
  const send = async (init: RequestInit, query = '') => {
    const answer = await fetch(`${url}?query=${encodeURIComponent(query)}`, { method: 'POST', ...init });
    if (!answer.ok) throw new Error(`ClickHouse: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  await send({
    body: `CREATE TABLE logs (day Int32, ts Int64, type String, device UUID, session UUID, name String, version String,
      country String, model String, plan String, items String) ENGINE = MergeTree PARTITION BY intDiv(day, 30)
      ORDER BY (name, day, device)`,
  });
  const body = Readable.toWeb(createReadStream(csv)) as ReadableStream;
  await send({ body, duplex: 'half' } as RequestInit, 'INSERT INTO logs FORMAT CSV');
  return { query: (sql) => send({ body: sql }), stop: () => void server.process.kill() };
}

async function timed(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Queries about telemetry over the files of 90 days, and over the same logs as rows in PostgreSQL. */
export async function compareTelemetry(bench: Bench): Promise<string> {
  const folder = bench.at('telemetry');
  const { parts, logs } = await writeDays(folder, bench.isQuick ? 5000 : 200_000);
  const bytes = parts.flatMap((part) => [part.logs, part.devices, part.sessions]).map((file) => statSync(file).size);
  const engine = createDuckdbEngine({
    folder,
    memoryMb: 512,
    threads: 2,
    timeoutSeconds: 60,
    log: createLog('silent'),
  });
  const listParts = (question: TelemetryQuery) => {
    const { from, to } = getQueryDays(question);
    return parts.filter((_, at) => at + LAST_DAY - DAYS + 1 >= from && at + LAST_DAY - DAYS + 1 <= to);
  };
  const rows: string[][] = [];
  const ours: number[] = [];
  for (const { question } of questions) {
    await engine.query(question, listParts(question));
    ours.push(await timed(5, () => engine.query(question, listParts(question))));
  }
  const memory = peakRss(engine.pid());
  await engine.close();

  const database = await bench.postgresDatabase('telemetry');
  const csv = bench.at('telemetry-csv');
  mkdirSync(csv, { recursive: true });
  await writeCsv(parts, `${csv}/logs.csv`);
  for (const one of [bench.at('.'), csv]) chmodSync(one, 0o755);
  chmodSync(`${csv}/logs.csv`, 0o644);
  await runSql(
    database,
    `CREATE UNLOGGED TABLE logs (day integer, ts bigint, type text, device uuid, session uuid, name text, version text,
      country text, model text, plan text, items text);
    COPY logs FROM '${csv}/logs.csv' (FORMAT csv);
    CREATE INDEX ON logs (name, day);
    SET maintenance_work_mem = '256MB'; ANALYZE logs;`,
  );
  const clickhouse = await startClickhouse(bench, `${csv}/logs.csv`);
  for (const [at, { what, limitMs, sql, clickhouse: own = sql }] of questions.entries()) {
    const ms = ours[at] ?? 0;
    const theirs =
      sql === undefined ? undefined : await timed(1, () => runSql(database, `SET work_mem = '256MB'; ${sql}`));
    const ofClickhouse = own !== undefined && clickhouse ? await timed(5, () => clickhouse.query(own)) : undefined;
    bench.goal({ what: `Query: ${what}`, aim: { atMost: limitMs }, measured: ms, unit: ' ms' });
    if (theirs !== undefined) {
      const measured = theirs / ms;
      bench.goal({ what: `PostgreSQL, same query: ${what}`, aim: { atLeast: 10 }, measured, unit: ' ×', digits: 1 });
    }
    if (ofClickhouse !== undefined) {
      const measured = ms / ofClickhouse;
      bench.goal({ what: `ClickHouse, same query: ${what}`, aim: { atMost: 2 }, measured, unit: ' ×', digits: 1 });
    }
    rows.push([
      what,
      `${number(ms)} ms`,
      `${limitMs} ms`,
      theirs === undefined ? '' : `${number(theirs)} ms`,
      theirs === undefined ? '' : `${number(theirs / ms, 1)} ×`,
      ofClickhouse === undefined ? '' : `${number(ofClickhouse)} ms`,
      ofClickhouse === undefined ? '' : `${number(ofClickhouse / ms, 1)} ×`,
    ]);
  }
  clickhouse?.stop();
  const perLog = bytes.reduce((sum, size) => sum + size, 0) / logs;
  bench.goal({ what: 'Bytes of a stored log', aim: { atMost: 40 }, measured: perLog, digits: 1 });
  bench.goal({ what: 'Memory of the telemetry process', aim: { atMost: 700 }, measured: memory, unit: ' MB' });
  return [
    '## Telemetry queries',
    `${number(logs)} logs of ${DAYS} days, ${number(perLog, 1)} bytes each in files; the telemetry process used ${number(memory)} MB at its largest. Each result is computed from warm files, median of 5, without the cache of results. PostgreSQL and ClickHouse (18.16, of Debian) have the same logs as rows, by event, and count less: of the first three only the days themselves.`,
    table(['query', 'Mooring', 'limit', 'PostgreSQL', 'ratio', 'ClickHouse', 'ratio'], rows),
    ...(clickhouse
      ? []
      : [
          'ClickHouse is not installed, so it was not measured (Debian 12: `clickhouse-server`, or `MOORING_BENCH_CLICKHOUSE`).',
        ]),
  ].join('\n\n');
}
