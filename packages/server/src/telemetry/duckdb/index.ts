import { mkdirSync } from 'node:fs';
import { open as openFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../../kernel/clock.ts';
import { createFairPool } from '../../kernel/concurrency/fair-pool.ts';
import { createSemaphore } from '../../kernel/concurrency/semaphore.ts';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import { unavailable } from '../../kernel/errors.ts';
import { makeWorkFolder, sweepWorkFolders } from '../../kernel/files/work-folders.ts';
import type { Log } from '../../kernel/log.ts';
import { type Engine, fileKinds, type LogBatch, type PartFiles, type WrittenPart } from '../engine.ts';
import { type Day, fileKindsByQuery, type QueryResult } from '../queries.ts';
import { isSameSource, noCuts, type RowLimits, toRow, toSourceRow, usualLimits } from '../rows.ts';
import type { Order, StagedLines } from './protocol.ts';
import type { RowsOut } from './rows-out.ts';
import { type Supervisor, supervise } from './supervisor.ts';

export interface DuckdbOptions {
  /** The only folder that it reads and writes. */
  folder: string;
  memoryMb: number;
  threads: number;
  /** Time limit of a query. */
  timeoutSeconds: number;
  log: Log;
}

/** Time limit of writes, which no page waits for. */
const WRITE_LIMIT = 10 * MINUTE;
/** Logs that are converted before other work gets a turn. */
const CHUNK = 300;

/** Creates a work folder, and removes those of killed processes. */
function prepare(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweepWorkFolders(folder, Date.now() - DAY);
  return makeWorkFolder(folder);
}

/**
 * Writes JSON lines for logs and their sources. Returns whether there is any log, and how often values were truncated.
 */
async function writeRows(
  lines: StagedLines,
  batches: Iterable<LogBatch> | AsyncIterable<LogBatch>,
  limits: RowLimits,
  cuts = noCuts(),
) {
  const logFile = await openFile(lines.logs, 'wx', 0o600);
  const sourceFile = await openFile(lines.sources, 'wx', 0o600);
  let logText = '';
  let sourceText = '';
  let sourceCount = 0;
  let count = 0;
  let isAny = false;
  async function flush(): Promise<void> {
    isAny ||= logText !== '';
    const texts = [logText, sourceText] as const;
    logText = '';
    sourceText = '';
    await logFile.write(texts[0]);
    await sourceFile.write(texts[1]);
  }
  try {
    for await (const { installId, logs } of batches) {
      let last: object | undefined;
      for (const log of logs) {
        if (!last || !isSameSource(log.value, last)) {
          last = log.value;
          sourceCount += 1;
          sourceText += `${JSON.stringify({ d: sourceCount, ...toSourceRow(installId, last) })}\n`;
        }
        const row = toRow(sourceCount, log, limits, cuts);
        if (row) logText += `${JSON.stringify(row)}\n`;
        count += 1;
        if (count % CHUNK === 0) {
          await flush();
          await setImmediate();
        }
      }
    }
    await flush();
    return { isAny, cuts };
  } finally {
    await logFile.close();
    await sourceFile.close();
  }
}

async function writeLines(file: string, rows: Iterable<object>): Promise<void> {
  const lines = await openFile(file, 'wx', 0o600);
  try {
    for (const row of rows) await lines.write(`${JSON.stringify(row)}\n`);
  } finally {
    await lines.close();
  }
}

export interface DuckdbEngine extends Engine {
  /** Passes `work` a file with the rows of parts, and the number of rows of each. */
  withRows<T>(
    parts: readonly Omit<RowsOut, 'total'>[],
    work: (file: string, totals: readonly number[]) => Promise<T>,
  ): Promise<T>;
  pid(): number | undefined;
}

/** DuckDB over Parquet files, in a separate process. */
export function createDuckdbEngine({ folder, memoryMb, threads, timeoutSeconds, log }: DuckdbOptions): DuckdbEngine {
  let opened: { workFolder: string; child: Supervisor } | undefined;
  // Most servers start without telemetry queries.
  const open = (): Supervisor => {
    if (!opened) {
      const workFolder = prepare(folder);
      opened = { workFolder, child: supervise({ memoryMb, threads, folder, workFolder }, log) };
    }
    return opened.child;
  };
  // One owner can use two slots; the third one stays free for others.
  const questions = createFairPool({
    slots: 3,
    slotsPerOwner: 2,
    queue: {
      maxPerOwner: 100,
      full: () => unavailable('Too many telemetry queries are queued. Retry in a moment.'),
    },
  });
  const writer = createSemaphore(1);
  const write = (order: Order) => writer(() => open().send(order, WRITE_LIMIT));

  const newFiles = (target: string, id: string): PartFiles => {
    const entries = fileKinds.map((kind) => [kind, path.join(target, `${id}.${kind}.parquet`)]);
    return Object.fromEntries(entries) as PartFiles;
  };

  async function writePart(day: Day, target: string, order: (files: PartFiles) => Order) {
    const id = randomBase62(12);
    const files = newFiles(target, id);
    try {
      const { rows, others } = (await write(order(files))) as Pick<WrittenPart, 'rows' | 'others'>;
      return rows === 0 ? undefined : ({ day, rows, others, files: { ...files, id, day } } satisfies WrittenPart);
    } catch (error) {
      for (const file of Object.values(files)) await rm(file, { force: true });
      throw error;
    }
  }

  return {
    getFileKinds: (query) => fileKindsByQuery[query],
    held: async () => new Set(),
    drop: async () => undefined,
    servers: async () => [],
    check: async () => undefined,
    query: (query, parts, owner = parts[0]?.appId ?? '') =>
      questions(owner, async () => {
        const result = await open().send({ do: 'ask', query, parts }, timeoutSeconds * SECOND);
        return result as QueryResult<typeof query.kind>;
      }),
    async stage(batches, limits = usualLimits) {
      const stage = `stage_${randomBase62(12).toLowerCase()}`;
      const release = async () => void (await write({ do: 'release', stage }));
      open();
      const toLinesFile = (kind: string) => path.join(opened?.workFolder ?? folder, `${stage}.${kind}.json`);
      const lines = { logs: toLinesFile('logs'), sources: toLinesFile('sources') };
      try {
        const { isAny, cuts } = await writeRows(lines, batches, limits);
        const days = isAny ? ((await write({ do: 'stage', stage, lines })) as { day: Day; rows: number }[]) : [];
        return {
          days,
          cuts,
          write: (day, existing, target, { mostNames = 0, hasSealed = false } = {}) =>
            writePart(day, target, (files) => ({ do: 'write', stage, day, existing, files, mostNames, hasSealed })),
          release,
        };
      } catch (error) {
        await release().catch(() => undefined);
        throw error;
      } finally {
        for (const file of Object.values(lines)) await rm(file, { force: true });
      }
    },
    merge: (day, parts, target, { isSealed = false } = {}) =>
      writePart(day, target, (files) => ({ do: 'merge', day, parts, files, isSealed })),
    async toParquet(columns, rows) {
      open();
      const name = path.join(opened?.workFolder ?? folder, `table_${randomBase62(12)}`);
      const [lines, file] = [`${name}.json`, `${name}.parquet`];
      try {
        await writeLines(lines, rows);
        await write({ do: 'table', columns, lines, file });
        return await readFile(file);
      } finally {
        for (const each of [lines, file]) await rm(each, { force: true });
      }
    },
    async withRows(parts, work) {
      open();
      const file = path.join(opened?.workFolder ?? folder, `rows_${randomBase62(12)}.json`);
      try {
        const totals = await open().send({ do: 'rows', parts, file }, WRITE_LIMIT);
        return await work(file, totals as number[]);
      } finally {
        await rm(file, { force: true });
      }
    },
    pid: () => opened?.child.pid(),
    async close() {
      if (!opened) return;
      await opened.child.close();
      await rm(opened.workFolder, { recursive: true, force: true });
    },
  };
}
