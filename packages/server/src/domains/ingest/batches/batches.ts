import { setImmediate } from 'node:timers/promises';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { conflict } from '../../../kernel/errors.ts';
import { parseLogTime } from '../logs/log-time.ts';
import { fromStored, textOf } from '../logs/stored-body.ts';
import {
  byNumber,
  byTime,
  deleteBatches,
  findAppOfBatches,
  findCursor,
  insertCursor,
  listAppsBehind,
  listCursors,
  moveCursor,
  type ReadBatch,
} from './batches.store.ts';
import { definedConsumers } from './consumers.ts';
import { type BatchReader, isReader } from './readers.ts';

/** One thing that a device tells. Which types there are, and what is in them, only those know who take them. */
export interface Log {
  readonly type: string;
  /** When it was made, by the clock of the device; when it came, if it does not say. */
  readonly at: number;
  /** All of it, as it came. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** What one device sent in one request, without what was invalid, too old or too far ahead. */
export interface Batch {
  /** Counts the batches of its app, from 1, without gaps until the oldest are deleted. */
  readonly number: number;
  /** Of two batches of an app, the one with the higher number came later, or at the same time. */
  readonly receivedAt: number;
  /** In lower case. */
  readonly installId: string;
  /** It is of the past, and somebody brought it along: nobody needs to hear of it. */
  readonly isHistory?: boolean;
  /** Bytes of JSON, with logs of all types. */
  readonly size?: number;
  /** In the order of the request. */
  readonly logs: readonly Log[];
}

/** Batches of an app from after `from` up to `to`, oldest first. None if both are the same. */
export interface BatchRange {
  readonly appId: string;
  readonly from: number;
  readonly to: number;
  readonly batches: readonly Batch[];
  /** Whether more have come than these. */
  readonly isMore: boolean;
}

/** What is read at once: about so many bytes of JSON, and one batch at least. */
const MOST_BYTES = 32 * 1024 * 1024;
/** For somebody who looks on: what is parsed for a request holds up the others. */
const MOST_SHOWN_BYTES = 2 * 1024 * 1024;
const MOST_BATCHES = 1000;
/** Bytes of JSON that are parsed before others have their turn. */
const PARSED_AT_ONCE = 256 * 1024;

/** Memory of a parsed log beside its text. */
const LOG_BYTES = 500;

/** The last of those that fit. */
function lastFitting(
  sizes: readonly { position: number; size: number; log_count: number }[],
  mostBytes: number,
  logBytes: number,
): number | undefined {
  let last: number | undefined;
  let sum = 0;
  for (const { position, size, log_count } of sizes) {
    sum += size + log_count * logBytes;
    if (last !== undefined && sum > mostBytes) break;
    last = position;
  }
  return last;
}

type Row = ReadBatch;
type Takes = (type: string) => boolean;

/** Whether somebody has to look into it. */
const mayHold = ({ types }: Row, takes: Takes): boolean => types === null || types.split(' ').some(takes);

async function toBatch(row: Row, takes: Takes): Promise<Batch> {
  const { number, received_at: receivedAt, install_id: installId, size } = row;
  const isHistory = row.is_history === 1;
  if (!mayHold(row, takes)) return { number, receivedAt, installId, isHistory, size, logs: [] };
  const { logs } = JSON.parse(textOf(await fromStored(row))) as { logs: Log['value'][] };
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
  mostBytes: number;
  /** Counted for each log beside its text, where all of them are in memory together. */
  logBytes?: number;
}

/** As they are kept: compressed. */
export async function readRows(
  { db }: Pick<Deps, 'db'>,
  by: typeof byNumber,
  { appId, after, limit, mostBytes, logBytes = 0 }: Omit<Reading, 'takes'>,
): Promise<{ rows: Row[]; isMore: boolean }> {
  const most = Math.max(1, Math.min(limit, MOST_BATCHES));
  const sizes = await by.sizes.all(db, { appId, after, limit: most + 1 });
  const to = lastFitting(sizes.slice(0, most), mostBytes, logBytes);
  if (to === undefined) return { rows: [], isMore: false };
  return { rows: await by.batches.all(db, { appId, after, to }), isMore: (sizes.at(-1)?.position ?? to) > to };
}

/** One after the other: a batch is up to 16 MiB. */
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
 * The next batches of an app that a consumer has not done with, with the logs that it takes; a batch without any is there
 * too. It reads them again until it calls `passBatches`, or reads on `after` those that it has in hand.
 */
export async function readBatches(
  ctx: Pick<Deps, 'db'>,
  consumer: BatchReader,
  appId: string,
  {
    limit = MOST_BATCHES,
    mostBytes = MOST_BYTES,
    after,
  }: { limit?: number; mostBytes?: number; after?: number | undefined } = {},
): Promise<BatchRange> {
  const from = after ?? (await findCursor.first(ctx.db, { appId, consumer: consumer.name }))?.number ?? 0;
  const takes = (type: string) => consumer.types.has(type);
  const { batches, isMore } = await readAfter(ctx, byNumber, { appId, after: from, limit, takes, mostBytes });
  return { appId, from, to: batches.at(-1)?.number ?? from, batches, isMore };
}

/** As `BatchRange`, of which each batch is parsed when it is asked for and need not be kept. */
export interface BatchStream extends Omit<BatchRange, 'batches' | 'isMore'> {
  readonly count: number;
  readonly batches: AsyncIterable<Batch>;
}

/** As `readBatches`, for whoever looks at one batch after the other; those `after` some number, and up to the `last`. */
export async function streamBatches(
  ctx: Pick<Deps, 'db'>,
  consumer: BatchReader,
  appId: string,
  { after, last = Number.POSITIVE_INFINITY }: { after?: number | undefined; last?: number } = {},
): Promise<BatchStream> {
  const from = after ?? (await findCursor.first(ctx.db, { appId, consumer: consumer.name }))?.number ?? 0;
  const reading = { appId, after: from, limit: MOST_BATCHES, mostBytes: MOST_BYTES };
  const rows = (await readRows(ctx, byNumber, reading)).rows.filter(({ number }) => number <= last);
  const batches = toBatches(rows, (type) => consumer.types.has(type));
  return { appId, from, to: rows.at(-1)?.number ?? from, count: rows.length, batches };
}

/**
 * Says that a consumer has done with what it read: in the transaction in which it keeps what it made of it. Refuses if
 * another process has done so since, which undoes that transaction: each batch is handled once.
 */
export async function passBatches(
  { db }: Pick<Deps, 'db'>,
  consumer: BatchReader,
  { appId, from, to }: Pick<BatchRange, 'appId' | 'from' | 'to'>,
): Promise<void> {
  if (!db.inTransaction) throw new Error(`${consumer.name} passed batches outside the transaction that keeps them`);
  if (to === from) return;
  const cursor = { appId, consumer: consumer.name, from, to };
  const moved = (await moveCursor.run(db, cursor)) || (from === 0 && (await insertCursor.run(db, cursor)));
  if (!moved) throw conflict(`Another process has handled logs of the app ${appId} for ${consumer.name} meanwhile.`);
}

/** Whether a consumer has done with batches up to this one. */
export const hasPassed = async (
  ctx: Pick<Deps, 'db'>,
  consumer: BatchReader,
  appId: string,
  number: number,
): Promise<boolean> => ((await findCursor.first(ctx.db, { appId, consumer: consumer.name }))?.number ?? 0) >= number;

/** The apps of which something came that a consumer has not done with. */
export const listAppsWithNews = async (ctx: Pick<Deps, 'db'>, consumer: BatchReader): Promise<string[]> =>
  (await listAppsBehind.all(ctx.db, { consumer: consumer.name })).map(({ app_id }) => app_id);

/** What came of an app after a time, oldest first, whoever has done with it; the batches of this UTC day are all there. */
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
    mostBytes: MOST_SHOWN_BYTES,
  });
}

const SWEPT_AT_ONCE = 200;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Deletes what all consumers have done with and came before this UTC day, and what is of apps that are gone. */
export async function sweepBatches(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (let after = ''; ; ) {
    const found = await findAppOfBatches.first(ctx.db, { after });
    if (!found) return;
    const { app_id: appId, kept } = found;
    const what =
      kept === null
        ? { to: EVERYTHING, before: EVERYTHING }
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
  return Math.min(EVERYTHING, ...definedConsumers().map(({ name }) => cursors.get(name) ?? 0), ...readers);
}
