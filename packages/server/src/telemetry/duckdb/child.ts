// Process that runs telemetry queries. Separate from the server because native code can crash, and to limit its memory.
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parseOwnJson } from '../../kernel/text/json.ts';
import { type Row, toResult, type Value } from '../results.ts';
import type { ChildOptions, Order, Reply, Request, StagedLines } from './protocol.ts';
import { columns, macros, quoted, selectFiles } from './reading.ts';
import { countRows, type RowsOut, writeRowsOut } from './rows-out.ts';
import { buildQuery } from './statements.ts';
import {
  findRepeats,
  isOther,
  nameOthers,
  selectNew,
  sortLines,
  stageLines,
  writeFiles,
  writeTable,
} from './writing.ts';

process.umask(0o077);
const options = parseOwnJson<ChildOptions>(process.argv[2] ?? '');

const instance = await DuckDBInstance.create(':memory:', {
  memory_limit: `${options.memoryMb}MB`,
  threads: String(options.threads),
  temp_directory: path.join(options.workFolder, 'spill'),
  // Prevents downloads of missing extensions.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
});
const main = await instance.connect();
for (const [kind, list] of Object.entries(columns)) await main.run(`CREATE TABLE no_${kind} (${list})`);
for (const macro of macros) await main.run(macro);
// Files never change, so their metadata can be cached.
await main.run('SET GLOBAL parquet_metadata_cache = true');
await main.run(`SET GLOBAL allowed_directories = [${quoted(options.folder)}]`);
await main.run('SET GLOBAL enable_external_access = false');
await main.run('SET GLOBAL lock_configuration = true');

/** Devices send logs of a few days, but an import covers years, and each day would scan all rows. */
const MANY_DAYS = 30;

type Run = (sql: string, values?: Value[]) => Promise<Row[]>;

async function stageRows(run: Run, stage: string, lines: StagedLines): Promise<unknown> {
  await run(stageLines(stage, lines));
  const rows = await run(
    `SELECT (ts // 86400000)::INTEGER AS day, count(*) AS rows FROM ${stage} GROUP BY day ORDER BY day`,
  );
  if (rows.length > MANY_DAYS) await run(sortLines(stage));
  return rows.map(({ day, rows }) => ({ day: Number(day), rows: Number(rows) }));
}

async function writePart(
  run: Run,
  {
    source,
    count,
    files,
    isSealed,
  }: {
    source: string;
    count: string;
    files: Extract<Order, { do: 'write' }>['files'];
    isSealed: boolean;
  },
): Promise<{ rows: number; others: number }> {
  const [found] = await run(`SELECT count(*) AS rows, count(*) FILTER (${isOther}) AS others FROM ${count}`);
  const rows = Number(found?.rows);
  if (rows > 0) for (const sql of Object.values(writeFiles(source, files, isSealed))) await run(sql);
  return { rows, others: Number(found?.others) };
}

async function carryOut(run: Run, order: Order): Promise<unknown> {
  switch (order.do) {
    case 'ask': {
      const { sql, values } = buildQuery(order.query, order.parts);
      return toResult(order.query, await run(sql, values));
    }
    case 'stage':
      return stageRows(run, order.stage, order.lines);
    case 'write': {
      const { stage, day, existing, files, mostNames, hasSealed } = order;
      const [found] = await run(findRepeats(stage, day, existing));
      const hasRepeats = found?.repeats === true;
      const source = found?.all_new === true && !hasRepeats && !hasSealed ? stage : `${stage}_day`;
      if (source !== stage) {
        await run(`DROP TABLE IF EXISTS ${source}`);
        await run(selectNew(source, { table: stage, day, existing, hasRepeats, hasSealed }));
      }
      if (mostNames > 0) await run(nameOthers(source, existing, mostNames));
      const written = await writePart(run, { source, count: source, files, isSealed: false });
      if (source !== stage) await run(`DROP TABLE ${source}`);
      return written;
    }
    case 'release':
      await run(`DROP TABLE IF EXISTS ${order.stage}_day`);
      await run(`DROP TABLE IF EXISTS ${order.stage}`);
      return undefined;
    case 'rows': {
      const parts: RowsOut[] = [];
      for (const each of order.parts) {
        const [found] = await run(countRows(each.part));
        parts.push({ ...each, total: Number(found?.rows) });
      }
      await run(writeRowsOut(parts, order.file));
      return parts.map(({ total }) => total);
    }
    case 'table':
      await run(writeTable(order));
      return undefined;
    case 'merge': {
      const source = selectFiles('logs', order.parts);
      const { files, isSealed } = order;
      return writePart(run, { source, count: source, files, isSealed });
    }
  }
}

const runOn =
  (connection: DuckDBConnection): Run =>
  async (sql, values = []) =>
    (await connection.runAndReadAll(sql, values)).getRowObjectsJson() as Row[];

async function serve({ id, limitMs, order }: Request): Promise<Reply> {
  let isTimeout = false;
  const connection = await instance.connect();
  let again: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    isTimeout = true;
    connection.interrupt();
    // An interrupt before the query starts is ignored, so repeat it.
    again = setInterval(() => connection.interrupt(), 10);
  }, limitMs);
  try {
    return { id, result: await carryOut(runOn(connection), order) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error), isTimeout };
  } finally {
    clearTimeout(timer);
    clearInterval(again);
    connection.closeSync();
  }
}

process.on('message', async (request: Request) => {
  const reply = await serve(request);
  if (process.connected) process.send?.(reply);
});
// The server ends this process: a signal to the process group must not end it earlier.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
