import { setImmediate } from 'node:timers/promises';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { conflict } from '../../../kernel/errors.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import { parseLogTime } from '../validation/log-time.ts';
import { decodeText } from '../validation/parse-body.ts';
import {
  byNumber,
  byTime,
  deleteBatches,
  findCursor,
  findNextAppWithBatches,
  insertCursor,
  listAppsBehind,
  listCursors,
  moveCursor,
  type ReadBatch,
} from './batches.store.ts';
import { definedConsumers } from './consumers.ts';
import { type BatchReader, isReader } from './readers.ts';
import { fromStored } from './stored-body.ts';

/** One record of a device. Only the consumers know the types and their fields. */
export interface Log {
  readonly type: string;
  /** Creation time by the device's clock; the arrival time if the log has none. */
  readonly at: number;
  /** The complete log, as received. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** The logs that one device sent in one request, without invalid, too old or future ones. */
export interface Batch {
  /** Sequence number in the app, from 1, without gaps until the oldest are deleted. */
  readonly number: number;
  /** Never decreases with the number. */
  readonly receivedAt: number;
  /** In lower case. */
  readonly installId: string;
  /** Imported from another server: consumers send no notifications about it. */
  readonly isHistory?: boolean;
  /** Bytes of JSON, for logs of all types. */
  readonly size?: number;
  /** In the order of the request. */
  readonly logs: readonly Log[];
}

/** Batches of an app after `from` up to `to`, oldest first. Empty if both are equal. */
export interface BatchRange {
  readonly appId: string;
  readonly from: number;
  readonly to: number;
  readonly batches: readonly Batch[];
  /** True if more batches have arrived. */
  readonly isMore: boolean;
}

/** Limit of one read: about this many bytes of JSON, and at least one batch. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Limit of a read for a request, because parsing blocks other requests. */
const MAX_VISIBLE_BYTES = 2 * 1024 * 1024;
const MAX_BATCHES = 1000;
/** Bytes of JSON that are parsed before other work gets a turn. */
const PARSED_AT_ONCE = 256 * 1024;

/** Memory of a parsed log in addition to its text. */
const LOG_BYTES = 500;

/** Finds the last row that fits. */
function lastFitting(
  sizes: readonly { position: number; size: number; log_count: number }[],
  maxBytes: number,
  logBytes: number,
): number | undefined {
  let last: number | undefined;
  let sum = 0;
  for (const { position, size, log_count } of sizes) {
    sum += size + log_count * logBytes;
    if (last !== undefined && sum > maxBytes) break;
    last = position;
  }
  return last;
}

type Row = ReadBatch;
type Takes = (type: string) => boolean;

/** Checks whether a batch may contain logs of these types. */
const mayHold = ({ types }: Row, takes: Takes): boolean => types === null || types.split(' ').some(takes);

async function toBatch(row: Row, takes: Takes): Promise<Batch> {
  const { number, received_at: receivedAt, install_id: installId, size } = row;
  const isHistory = row.is_history === 1;
  if (!mayHold(row, takes)) return { number, receivedAt, installId, isHistory, size, logs: [] };
  const { logs } = parseOwnJson<{ logs: Log['value'][] }>(decodeText(await fromStored(row)));
  return {
    number,
    receivedAt,
    installId,
    isHistory,
    size,
    logs: logs.flatMap((value) => {
      const type = value.type as string;
      if (!takes(type)) return [];
      const at = typeof value.timestamp === 'string' ? parseLogTime(value.timestamp) : undefined;
      return { type, at: at ?? receivedAt, value };
    }),
  };
}

interface Reading {
  appId: string;
  after: number;
  limit: number;
  takes: Takes;
  maxBytes: number;
  /** Added for each log, if all of them are in memory together. */
  logBytes?: number;
}

/** Reads batches in stored form: compressed. */
export async function readRows(
  { db }: Pick<Deps, 'db'>,
  by: typeof byNumber,
  { appId, after, limit, maxBytes, logBytes = 0 }: Omit<Reading, 'takes'>,
): Promise<{ rows: Row[]; isMore: boolean }> {
  const most = Math.max(1, Math.min(limit, MAX_BATCHES));
  const sizes = await by.sizes.all(db, { appId, after, limit: most + 1 });
  const to = lastFitting(sizes.slice(0, most), maxBytes, logBytes);
  if (to === undefined) return { rows: [], isMore: false };
  return { rows: await by.batches.all(db, { appId, after, to }), isMore: (sizes.at(-1)?.position ?? to) > to };
}

/** Decodes one batch at a time: a batch can have 16 MiB. */
async function* toBatches(rows: readonly Row[], takes: Takes): AsyncGenerator<Batch> {
  let parsed = 0;
  for (const row of rows) {
    const batch = await toBatch(row, takes);
    if (batch.logs.length > 0) parsed += row.size;
    yield batch;
    if (parsed < PARSED_AT_ONCE) continue;
    parsed = 0;
    await setImmediate();
  }
}

async function readAfter(ctx: Pick<Deps, 'db'>, by: typeof byNumber, { takes, ...reading }: Reading) {
  const { rows, isMore } = await readRows(ctx, by, { ...reading, logBytes: LOG_BYTES });
  return { batches: await Array.fromAsync(toBatches(rows, takes)), isMore };
}

/**
 * Reads the next batches of an app that a consumer has not processed, with the logs of its types; batches without such logs are
 * included. Returns the same batches again until `passBatches` is called, or continues `after` the ones in process.
 */
export async function readBatches(
  ctx: Pick<Deps, 'db'>,
  consumer: BatchReader,
  appId: string,
  {
    limit = MAX_BATCHES,
    maxBytes = MAX_BYTES,
    after,
  }: { limit?: number; maxBytes?: number; after?: number | undefined } = {},
): Promise<BatchRange> {
  const from = after ?? (await findCursor.first(ctx.db, { appId, consumer: consumer.name }))?.number ?? 0;
  const takes = (type: string) => consumer.types.has(type);
  const { batches, isMore } = await readAfter(ctx, byNumber, { appId, after: from, limit, takes, maxBytes });
  return { appId, from, to: batches.at(-1)?.number ?? from, batches, isMore };
}

/** Like `BatchRange`, but batches are parsed on demand and not kept in memory. */
export interface BatchStream extends Omit<BatchRange, 'batches' | 'isMore'> {
  readonly count: number;
  readonly batches: AsyncIterable<Batch>;
}

/** Like `readBatches`, one batch at a time; from `after` a number, up to `last`. */
export async function streamBatches(
  ctx: Pick<Deps, 'db'>,
  consumer: BatchReader,
  appId: string,
  { after, last = Number.POSITIVE_INFINITY }: { after?: number | undefined; last?: number } = {},
): Promise<BatchStream> {
  const from = after ?? (await findCursor.first(ctx.db, { appId, consumer: consumer.name }))?.number ?? 0;
  const reading = { appId, after: from, limit: MAX_BATCHES, maxBytes: MAX_BYTES };
  const rows = (await readRows(ctx, byNumber, reading)).rows.filter(({ number }) => number <= last);
  const batches = toBatches(rows, (type) => consumer.types.has(type));
  return { appId, from, to: rows.at(-1)?.number ?? from, count: rows.length, batches };
}

/**
 * Advances the cursor of a consumer, in the transaction that stores its results. Throws if another process has advanced it,
 * which rolls back the transaction: each batch is processed once.
 */
export async function passBatches(
  { db }: Pick<Deps, 'db'>,
  consumer: BatchReader,
  { appId, from, to }: Pick<BatchRange, 'appId' | 'from' | 'to'>,
): Promise<void> {
  if (!db.inTransaction) throw new Error(`${consumer.name} advanced its cursor outside a transaction`);
  if (to === from) return;
  const cursor = { appId, consumer: consumer.name, from, to };
  const moved = (await moveCursor.run(db, cursor)) || (from === 0 && (await insertCursor.run(db, cursor)));
  if (!moved) throw conflict(`Another process has already processed logs of the app ${appId} for ${consumer.name}.`);
}

/** Checks whether a consumer has processed the batches up to this one. */
export const hasPassed = async (
  ctx: Pick<Deps, 'db'>,
  consumer: BatchReader,
  appId: string,
  number: number,
): Promise<boolean> => ((await findCursor.first(ctx.db, { appId, consumer: consumer.name }))?.number ?? 0) >= number;

/** Lists the apps with batches that a consumer has not processed. */
export const listAppsWithNews = async (ctx: Pick<Deps, 'db'>, consumer: BatchReader): Promise<string[]> =>
  (await listAppsBehind.all(ctx.db, { consumer: consumer.name })).map(({ app_id }) => app_id);

/**
 * Reads the batches of an app that arrived after a time, oldest first, processed or not; all batches of this UTC day are
 * available.
 */
export function readReceived(
  ctx: Pick<Deps, 'db'>,
  appId: string,
  { after, limit, types }: { after: number; limit: number; types?: ReadonlySet<string> },
): Promise<{ batches: Batch[]; isMore: boolean }> {
  return readAfter(ctx, byTime, {
    appId,
    after,
    limit,
    takes: (type) => types?.has(type) ?? true,
    maxBytes: MAX_VISIBLE_BYTES,
  });
}

const SWEPT_AT_ONCE = 200;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Deletes batches that all consumers have processed and that arrived before this UTC day, and batches of deleted apps.
 */
export async function sweepBatches(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (let after = ''; ; ) {
    const match = await findNextAppWithBatches.first(ctx.db, { after });
    if (!match) return;
    const { app_id: appId, kept } = match;
    const what =
      kept === null
        ? { to: NO_LIMIT, before: NO_LIMIT }
        : { to: await passedByAll(ctx, appId), before: now - (now % DAY) };
    for (;;) {
      const count = await tx(ctx, ({ db }) => deleteBatches.run(db, { appId, ...what, limit: SWEPT_AT_ONCE }));
      if (count < SWEPT_AT_ONCE) break;
    }
    after = appId;
  }
}

async function passedByAll({ db }: Pick<Deps, 'db'>, appId: string): Promise<number> {
  const rows = await listCursors.all(db, { appId });
  const cursors = new Map(rows.map(({ consumer, number }) => [consumer, number]));
  const readers = rows.flatMap(({ consumer, number }) => (isReader(consumer) ? number : []));
  return Math.min(NO_LIMIT, ...definedConsumers().map(({ name }) => cursors.get(name) ?? 0), ...readers);
}
