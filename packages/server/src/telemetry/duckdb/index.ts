import { mkdirSync } from 'node:fs';
import { open as openFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../../kernel/clock.ts';
import { randomBase62 } from '../../kernel/crypto.ts';
import { unavailable } from '../../kernel/errors.ts';
import { createFairPool } from '../../kernel/fair-pool.ts';
import type { Log } from '../../kernel/log.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { makeWorkFolder, sweepWorkFolders } from '../../kernel/work-folders.ts';
import { type Engine, fileKinds, type LogBatch, type PartFiles, type WrittenPart } from '../engine.ts';
import { type Answer, type Day, kindsOf } from '../questions.ts';
import { isSameSender, noCuts, type RowLimits, toRow, toSenderRow, usualLimits } from '../rows.ts';
import type { Order, StagedLines } from './protocol.ts';
import type { RowsOut } from './rows-out.ts';
import { type Supervisor, supervise } from './supervisor.ts';

export interface DuckdbOptions {
  /** Everything that it reads and writes is in here. */
  folder: string;
  memoryMb: number;
  threads: number;
  /** For one question. */
  timeoutSeconds: number;
  log: Log;
}

/** Writing is not waited for by anybody who looks at a page. */
const WRITE_LIMIT = 10 * MINUTE;
/** Logs that are turned into rows before others have their turn. */
const CHUNK = 300;

/** A place of our own, without what killed processes left. */
function prepare(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweepWorkFolders(folder, Date.now() - DAY);
  return makeWorkFolder(folder);
}

/** Writes lines of JSON for the logs that count and for their senders; says whether there is any log, and what was cut. */
async function writeRows(
  lines: StagedLines,
  batches: Iterable<LogBatch> | AsyncIterable<LogBatch>,
  limits: RowLimits,
  cuts = noCuts(),
) {
  const logFile = await openFile(lines.logs, 'wx', 0o600);
  const senderFile = await openFile(lines.senders, 'wx', 0o600);
  let logText = '';
  let senderText = '';
  let senderCount = 0;
  let count = 0;
  let isAny = false;
  async function flush(): Promise<void> {
    isAny ||= logText !== '';
    const texts = [logText, senderText] as const;
    logText = '';
    senderText = '';
    await logFile.write(texts[0]);
    await senderFile.write(texts[1]);
  }
  try {
    for await (const { installId, logs } of batches) {
      let last: object | undefined;
      for (const log of logs) {
        if (!last || !isSameSender(log.value, last)) {
          last = log.value;
          senderCount += 1;
          senderText += `${JSON.stringify({ d: senderCount, ...toSenderRow(installId, last) })}\n`;
        }
        const row = toRow(senderCount, log, limits, cuts);
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
    await senderFile.close();
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
  /** Gives a file with the rows of parts to `work`, and how many each of them has. */
  withRows<T>(
    parts: readonly Omit<RowsOut, 'total'>[],
    work: (file: string, totals: readonly number[]) => Promise<T>,
  ): Promise<T>;
  pid(): number | undefined;
}

/** DuckDB over Parquet files, in a process of its own. */
export function createDuckdbEngine({ folder, memoryMb, threads, timeoutSeconds, log }: DuckdbOptions): DuckdbEngine {
  let opened: { workFolder: string; child: Supervisor } | undefined;
  // Most servers start without ever being asked.
  const open = (): Supervisor => {
    if (!opened) {
      const workFolder = prepare(folder);
      opened = { workFolder, child: supervise({ memoryMb, threads, folder, workFolder }, log) };
    }
    return opened.child;
  };
  // Two for one owner, and one more that questions of another owner find free.
  const questions = createFairPool({
    slots: 3,
    slotsPerOwner: 2,
    queue: {
      maxPerOwner: 100,
      full: () => unavailable('Too many questions about telemetry are waiting. Try again in a moment.'),
    },
  });
  const writer = createSemaphore(1);
  const write = (order: Order) => writer(() => open().tell(order, WRITE_LIMIT));

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
    kindsOf: (question) => kindsOf[question],
    held: async () => new Set(),
    drop: async () => undefined,
    servers: async () => [],
    check: async () => undefined,
    ask: (question, parts, owner = parts[0]?.appId ?? '') =>
      questions(owner, async () => {
        const result = await open().tell({ do: 'ask', question, parts }, timeoutSeconds * SECOND);
        return result as Answer<typeof question.ask>;
      }),
    async stage(batches, limits = usualLimits) {
      const stage = `stage_${randomBase62(12).toLowerCase()}`;
      const release = async () => void (await write({ do: 'release', stage }));
      open();
      const fileOf = (kind: string) => path.join(opened?.workFolder ?? folder, `${stage}.${kind}.json`);
      const lines = { logs: fileOf('logs'), senders: fileOf('senders') };
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
        const totals = await open().tell({ do: 'rows', parts, file }, WRITE_LIMIT);
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
