import type { AppCtx, Ctx } from '../../../context.ts';
import { sweep } from '../../../db/sweep.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { listCursors } from '../batches/batches.store.ts';
import { definedConsumers } from '../batches/consumers.ts';
import { isAppBlocked } from '../blocks/blocks.ts';
import {
  addCounts,
  type Counts,
  deleteInvalidLogsBefore,
  deleteMinutes,
  deleteSendersBefore,
  findLastReceived,
  findNextBatch,
  listInvalidLogs,
  listMinutes,
  listSenders,
  type MinuteRow,
  noCounts,
} from '../counts.store.ts';
import type { InvalidReason } from '../logs/judged-logs.ts';

export interface Minute extends Counts {
  at: number;
}

/** What comes from the devices of an app, and what became of it. */
export interface Ingestion {
  isBlocked: boolean;
  /** Bytes of JSON that may come within an hour; none if there is no limit. */
  hourLimit: number | undefined;
  lastReceivedAt: number | undefined;
  hour: Counts;
  day: Counts;
  /** Of the last hour. */
  minutes: Minute[];
  senders: { sdk: string; sdkVersion: string; appVersion: string; logs: number; lastAt: number }[];
  consumers: { name: string; waiting: number; waitingSince: number | undefined }[];
  invalidLogs: { receivedAt: number; installId: string; reason: InvalidReason; log: string }[];
}

function sumOf(rows: readonly MinuteRow[]): Counts {
  const sum = noCounts();
  for (const row of rows) addCounts(sum, row);
  return sum;
}

const MOST_SENDERS = 100;
const MOST_INVALID = 20;

export async function getIngestion(ctx: AppCtx): Promise<Ingestion> {
  const { db } = ctx;
  const appId = ctx.app.id;
  const now = ctx.clock.now();
  const rows = await listMinutes.all(db, { appId, since: now - DAY });
  const lastHour = rows.filter(({ minute }) => minute > now - HOUR);
  const last = await findLastReceived.first(db, { appId });
  return {
    isBlocked: await isAppBlocked(ctx, appId),
    hourLimit: ctx.config.ingestMbPerHour === 0 ? undefined : ctx.config.ingestMbPerHour * 1024 * 1024,
    lastReceivedAt: last?.last_received_at,
    hour: sumOf(lastHour),
    day: sumOf(rows),
    minutes: lastHour.map(({ app_id, minute, ...counts }) => ({ at: minute, ...counts })),
    senders: (await listSenders.all(db, { appId, limit: MOST_SENDERS })).map((row) => ({
      sdk: row.sdk,
      sdkVersion: row.sdk_version,
      appVersion: row.app_version,
      logs: row.logs,
      lastAt: row.last_at,
    })),
    consumers: await behind(ctx, last?.last_number ?? 0),
    invalidLogs: (await listInvalidLogs.all(db, { appId, limit: MOST_INVALID })).map((row) => ({
      receivedAt: row.received_at,
      installId: row.install_id,
      reason: row.reason as InvalidReason,
      log: row.log,
    })),
  };
}

async function behind({ db, app }: AppCtx, lastNumber: number): Promise<Ingestion['consumers']> {
  const cursors = new Map((await listCursors.all(db, { appId: app.id })).map((row) => [row.consumer, row.number]));
  const consumers: Ingestion['consumers'] = [];
  for (const { name } of definedConsumers()) {
    const after = cursors.get(name) ?? 0;
    const next = await findNextBatch.first(db, { appId: app.id, after });
    consumers.push({ name, waiting: lastNumber - after, waitingSince: next?.received_at });
  }
  return consumers;
}

const KEPT_MINUTES = 2 * DAY;
const KEPT_INVALID = 7 * DAY;
const KEPT_SENDERS = 90 * DAY;

/** What nobody looks at any more. */
export async function sweepCounts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const before = now - (now % MINUTE) - KEPT_MINUTES;
  await sweep(ctx, (db, limit) => deleteMinutes.run(db, { before, limit }));
  await tx(ctx, async ({ db }) => {
    await deleteInvalidLogsBefore.run(db, { before: now - KEPT_INVALID });
    await deleteSendersBefore.run(db, { before: now - KEPT_SENDERS });
  });
}
