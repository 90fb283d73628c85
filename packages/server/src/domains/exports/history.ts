import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { type AppCtx, workOwner } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { inflate, type SentBytes } from '../../kernel/inflate.ts';
import { dayOf, type FoundLog } from '../../telemetry/index.ts';
import { defineProcess, WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { keepHistory, type Received } from '../ingest/index.ts';
import { type HistoryQuestion, readRecords } from './history-work.ts';
import { type Entity, type ExportRecord, toKeptRecord, toKeptReport } from './records.ts';

const history = defineProcess<HistoryQuestion, Uint8Array[]>({
  name: 'the process that reads imported history',
  file: new URL('./history.process.ts', import.meta.url),
  memoryMb: 768,
  buffersMb: 384,
  limitMs: 60 * SECOND,
});

/** Bytes that are read here: that takes a few milliseconds, asking another process takes longer. */
const MAX_INLINE = 64 * 1024;

async function deserializeAll(chunks: readonly Uint8Array[]): Promise<Received[]> {
  const received: Received[] = [];
  for (const chunk of chunks) {
    received.push(...(deserialize(chunk) as Received[]));
    await setImmediate();
  }
  return received;
}

async function readImport(ctx: AppCtx, body: Uint8Array): Promise<Received[]> {
  const question = { appId: ctx.app.id, body, now: ctx.clock.now() };
  try {
    if (body.length <= MAX_INLINE) return await readRecords(question);
    return await deserializeAll(await ctx.workers.process(history).ask(question, { owner: workOwner(ctx) }));
  } catch (error) {
    if (error instanceof Unreadable) throw badRequest(error.message);
    if (!(error instanceof WorkerLimit)) throw error;
    throw badRequest(`Can't read these records. ${error.message} Send fewer in one request.`);
  }
}

/** Takes records that another server exported. */
export async function importHistory(ctx: AppCtx, sent: SentBytes) {
  const body = await inflate(sent, workOwner(ctx));
  const appId = ctx.app.id;
  // Before the transaction, which PostgreSQL may run a second time.
  const received = await readImport(ctx, body);
  return tx(ctx, async (ctx) => {
    const outcome = await keepHistory(ctx, { appId, hash: hash('sha256', body, 'hex'), received });
    await record(ctx, 'history.import', appSubject(ctx.app), { after: { ...outcome } });
    return outcome;
  });
}

const LOGS_AT_ONCE = 5000;
const REPORTS_AT_ONCE = 200;

interface HistoryPage {
  records: ExportRecord[];
  /** Absent when there are no more. */
  nextSkip: number | undefined;
}

/**
 * Events that look alike were told apart by ids that are not kept: whoever imports them must see two, so all but the first
 * get one of their own, the same whenever they are read.
 */
function toRecords(appId: string, logs: readonly FoundLog[], first: number): ExportRecord[] {
  const texts = logs.map((log) => JSON.stringify(log));
  return logs.map((log, at) => {
    const isTwin = log.type === 'event' && texts[at] === texts[at - 1];
    return toKeptRecord(appId, log, isTwin ? `${texts[at]} ${first + at}` : undefined);
  });
}

async function readLogs(ctx: AppCtx, day: number, skip: number): Promise<HistoryPage> {
  const range = { from: day, to: day };
  const times = { from: day * DAY, to: (day + 1) * DAY };
  // With the one before, which the first may look like.
  const first = Math.max(0, skip - 1);
  const limit = LOGS_AT_ONCE + skip - first;
  const question = { ask: 'allLogs', range, filter: {}, times, skip: first, limit } as const;
  const logs = await ctx.askTelemetry(ctx.app.id, question, workOwner(ctx));
  return {
    records: toRecords(ctx.app.id, logs, first).slice(skip - first),
    nextSkip: logs.length < limit ? undefined : skip + LOGS_AT_ONCE,
  };
}

async function readReports(ctx: AppCtx, kind: 'crash' | 'error', day: number, skip: number): Promise<HistoryPage> {
  const page = { kind, from: day * DAY, to: (day + 1) * DAY, skip, limit: REPORTS_AT_ONCE };
  const reports = await ctx.keptReports.ofTime(ctx, ctx.app.id, page);
  return {
    records: reports.map((report) => toKeptReport(ctx.app.id, report).record),
    nextSkip: reports.length < REPORTS_AT_ONCE ? undefined : skip + REPORTS_AT_ONCE,
  };
}

/** What is kept of a day, as it would have been exported. */
export function readHistory(ctx: AppCtx, entity: Entity, date: string, skip: number): Promise<HistoryPage> {
  const day = dayOf(Date.parse(date));
  return entity === 'logs'
    ? readLogs(ctx, day, skip)
    : readReports(ctx, entity === 'crashes' ? 'crash' : 'error', day, skip);
}
