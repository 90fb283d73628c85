import type { AppCtx, Ctx } from '../../../context.ts';
import { sweep } from '../../../db/rows/sweep.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { listCursors } from '../batches/batches.store.ts';
import { definedConsumers } from '../batches/consumers.ts';
import { isAppBlocked } from '../blocks/blocks.ts';
import {
  addCounts,
  type Counts,
  deleteInvalidLogsBefore,
  deleteItemsBefore,
  deleteMinutes,
  deleteSourcesBefore,
  findFirstDevice,
  findLastReceived,
  findNextBatch,
  listInvalidLogs,
  listMinutes,
  listSources,
  type MinuteRow,
  noCounts,
  sumItems,
} from '../counts.store.ts';
import type { ItemCount } from '../sentry/item-counts.ts';
import type { InvalidReason } from '../validation/log-validation.ts';

export interface Minute extends Counts {
  at: number;
}

/** Received logs of an app and their results. */
export interface IngestionStatus {
  isBlocked: boolean;
  /** Bytes of JSON per hour; undefined without a limit. */
  hourLimit: number | undefined;
  lastReceivedAt: number | undefined;
  /** The first device that sent data; without names if an earlier version received it. */
  firstDevice: { model: string; os: string; receivedAt: number } | undefined;
  hour: Counts;
  day: Counts;
  /** Of the last hour. */
  minutes: Minute[];
  sources: { sdk: string; sdkVersion: string; appVersion: string; logs: number; lastAt: number }[];
  consumers: { name: string; waiting: number; waitingSince: number | undefined }[];
  /** Items of envelopes of Sentry SDKs in the last 24 hours. */
  items: ItemCount[];
  invalidLogs: { receivedAt: number; installId: string; reason: InvalidReason; log: string }[];
}

function sumCounts(rows: readonly MinuteRow[]): Counts {
  const sum = noCounts();
  for (const row of rows) addCounts(sum, row);
  return sum;
}

const MAX_SOURCES = 100;
const MAX_INVALID_LOGS = 20;

export async function getIngestionStatus(ctx: AppCtx): Promise<IngestionStatus> {
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
    firstDevice: await getFirstDevice(ctx),
    hour: sumCounts(lastHour),
    day: sumCounts(rows),
    minutes: lastHour.map(({ app_id, minute, ...counts }) => ({ at: minute, ...counts })),
    sources: (await listSources.all(db, { appId, limit: MAX_SOURCES })).map((row) => ({
      sdk: row.sdk,
      sdkVersion: row.sdk_version,
      appVersion: row.app_version,
      logs: row.logs,
      lastAt: row.last_at,
    })),
    consumers: await listConsumerLags(ctx, last?.last_number ?? 0),
    items: (await sumItems.all(db, { appId, since: now - DAY })).map((row) => ({ ...row, count: Number(row.count) })),
    invalidLogs: (await listInvalidLogs.all(db, { appId, limit: MAX_INVALID_LOGS })).map((row) => ({
      receivedAt: row.received_at,
      installId: row.install_id,
      reason: row.reason as InvalidReason,
      log: row.log,
    })),
  };
}

async function getFirstDevice({ db, app }: AppCtx): Promise<IngestionStatus['firstDevice']> {
  const row = await findFirstDevice.first(db, { appId: app.id });
  return row && { model: row.model, os: row.os, receivedAt: row.received_at };
}

/** Changes when the first device of the app sends data. */
export const firstDeviceVersion = async (ctx: AppCtx): Promise<number> => (await getFirstDevice(ctx))?.receivedAt ?? 0;

async function listConsumerLags({ db, app }: AppCtx, lastNumber: number): Promise<IngestionStatus['consumers']> {
  const cursors = new Map((await listCursors.all(db, { appId: app.id })).map((row) => [row.consumer, row.number]));
  const consumers: IngestionStatus['consumers'] = [];
  for (const { name } of definedConsumers()) {
    const after = cursors.get(name) ?? 0;
    const next = await findNextBatch.first(db, { appId: app.id, after });
    consumers.push({ name, waiting: lastNumber - after, waitingSince: next?.received_at });
  }
  return consumers;
}

const MINUTE_RETENTION_MS = 2 * DAY;
const INVALID_LOG_RETENTION_MS = 7 * DAY;
const SOURCE_RETENTION_MS = 90 * DAY;

/** Deletes counters that are no longer shown. */
export async function sweepCounts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const before = now - (now % MINUTE) - MINUTE_RETENTION_MS;
  await sweep(ctx, (db, limit) => deleteMinutes.run(db, { before, limit }));
  await tx(ctx, async ({ db }) => {
    await deleteInvalidLogsBefore.run(db, { before: now - INVALID_LOG_RETENTION_MS });
    await deleteSourcesBefore.run(db, { before: now - SOURCE_RETENTION_MS });
    await deleteItemsBefore.run(db, { before: now - MINUTE_RETENTION_MS - HOUR });
  });
}
