import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { type AppCtx, workOwner } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { inflate, type SentBytes } from '../../kernel/files/inflate.ts';
import { type FoundLog, toDay } from '../../telemetry/index.ts';
import { defineProcess, WorkerLimit } from '../../workers/index.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { queryTelemetry } from '../analytics/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { reportArchive } from '../crashes/index.ts';
import { addHistory, type Received } from '../ingest/index.ts';
import { type HistoryRequest, readRecords } from './history-work.ts';
import { archivedLogToRecord, archivedReportToRecord, type Entity, type ExportRecord } from './records.ts';

const history = defineProcess<HistoryRequest, Uint8Array[]>({
  name: 'the process that reads imported history',
  file: new URL('./history.process.ts', import.meta.url),
  memoryMb: 768,
  buffersMb: 384,
  limitMs: 60 * SECOND,
});

/** Bytes to process in this process: that takes a few milliseconds, less than a request to another process. */
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
  const request = { appId: ctx.app.id, body, now: ctx.clock.now() };
  try {
    if (body.length <= MAX_INLINE) return await readRecords(request);
    return await deserializeAll(await ctx.workers.process(history).request(request, { owner: workOwner(ctx) }));
  } catch (error) {
    if (error instanceof Unreadable) throw badRequest(error.message);
    if (!(error instanceof WorkerLimit)) throw error;
    throw badRequest(`Can't read these records. ${error.message} Send fewer in one request.`);
  }
}

/** Imports records that another server exported. */
export async function importHistory(ctx: AppCtx, sent: SentBytes) {
  const body = await inflate(sent, workOwner(ctx));
  const appId = ctx.app.id;
  // Before the transaction, which PostgreSQL may repeat.
  const received = await readImport(ctx, body);
  return tx(ctx, async (ctx) => {
    const outcome = await addHistory(ctx, { appId, hash: hash('sha256', body, 'hex'), received });
    await record(ctx, 'history.import', appSubject(ctx.app), { after: { ...outcome } });
    return outcome;
  });
}

const LOGS_AT_ONCE = 5000;
const REPORTS_AT_ONCE = 200;

interface HistoryPage {
  records: ExportRecord[];
  /** Undefined on the last page. */
  nextSkip: number | undefined;
}

/**
 * Equal events only differed by IDs that are not stored. All but the first get a stable ID, so that an import
 * counts each of them.
 */
function toRecords(appId: string, logs: readonly FoundLog[], first: number): ExportRecord[] {
  const texts = logs.map((log) => JSON.stringify(log));
  return logs.map((log, at) => {
    const isTwin = log.type === 'event' && texts[at] === texts[at - 1];
    return archivedLogToRecord(appId, log, isTwin ? `${texts[at]} ${first + at}` : undefined);
  });
}

async function readLogs(ctx: AppCtx, day: number, skip: number): Promise<HistoryPage> {
  const range = { from: day, to: day };
  const times = { from: day * DAY, to: (day + 1) * DAY };
  // Includes the previous event, to detect whether the first one is equal to it.
  const first = Math.max(0, skip - 1);
  const limit = LOGS_AT_ONCE + skip - first;
  const logsQuery = { kind: 'allLogs', range, filter: {}, times, skip: first, limit } as const;
  const logs = await queryTelemetry(ctx, ctx.app.id, logsQuery);
  return {
    records: toRecords(ctx.app.id, logs, first).slice(skip - first),
    nextSkip: logs.length < limit ? undefined : skip + LOGS_AT_ONCE,
  };
}

/** As in exports of new logs: only crashes ended the app. */
const kindsByEntity = { crashes: ['crash'], errors: ['error', 'hang'] } as const;

async function readReports(
  ctx: AppCtx,
  entity: keyof typeof kindsByEntity,
  day: number,
  skip: number,
): Promise<HistoryPage> {
  const page = { kinds: kindsByEntity[entity], from: day * DAY, to: (day + 1) * DAY, skip, limit: REPORTS_AT_ONCE };
  const reports = await reportArchive.ofTime(ctx, ctx.app.id, page);
  return {
    records: reports.map((report) => archivedReportToRecord(ctx.app.id, report).record),
    nextSkip: reports.length < REPORTS_AT_ONCE ? undefined : skip + REPORTS_AT_ONCE,
  };
}

/** The stored records of a day, in the format of exports. */
export function readHistory(ctx: AppCtx, entity: Entity, date: string, skip: number): Promise<HistoryPage> {
  const day = toDay(Date.parse(date));
  return entity === 'logs' ? readLogs(ctx, day, skip) : readReports(ctx, entity, day, skip);
}
