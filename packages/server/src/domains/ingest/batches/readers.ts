import type { Deps } from '../../../context.ts';
import { findLastReceived, findNextBatch } from '../counts.store.ts';
import { deleteCursor, findCursor, findOldestBatch, insertCursor } from './batches.store.ts';
import type { LogConsumer } from './consumers.ts';

/** Reads the batches of one app at its own pace, without notifications. */
export type BatchReader = Pick<LogConsumer, 'name' | 'types'>;

const PREFIX = 'reader:';

export const batchReader = (id: string, types: readonly string[]): BatchReader => ({
  name: `${PREFIX}${id}`,
  types: new Set(types),
});

/** Checks whether a cursor belongs to a reader, which exists as long as its cursor does. */
export const isReader = (name: string): boolean => name.startsWith(PREFIX);

type Db = Pick<Deps, 'db'>;

/** Retains batches from now on until the reader has passed them; optionally also those that are still stored. */
export async function retainBatches(
  { db }: Db,
  { name: consumer }: BatchReader,
  appId: string,
  { isFromOldest = false } = {},
): Promise<void> {
  const last = await getLastNumber({ db }, appId);
  const oldest = isFromOldest ? await findOldestBatch.first(db, { appId }) : undefined;
  await insertCursor.run(db, { appId, consumer, to: oldest ? oldest.number - 1 : last });
}

export const releaseBatches = ({ db }: Db, { name: consumer }: BatchReader, appId: string): Promise<number> =>
  deleteCursor.run(db, { appId, consumer });

/** Finds the position of a reader and its backlog; undefined if it retains no batches. */
export async function findReading({ db }: Db, { name: consumer }: BatchReader, appId: string) {
  const cursor = await findCursor.first(db, { appId, consumer });
  if (!cursor) return undefined;
  const last = await getLastNumber({ db }, appId);
  const next = await findNextBatch.first(db, { appId, after: cursor.number });
  return { number: cursor.number, waiting: Math.max(0, last - cursor.number), waitingSince: next?.received_at };
}

/** Returns the number of the last batch that a consumer has processed; 0 before the first. */
export const getPassedNumber = async ({ db }: Db, { name: consumer }: BatchReader, appId: string): Promise<number> =>
  (await findCursor.first(db, { appId, consumer }))?.number ?? 0;

/** Returns the number of the last batch that arrived; 0 before the first. */
export const getLastNumber = async ({ db }: Db, appId: string): Promise<number> =>
  (await findLastReceived.first(db, { appId }))?.last_number ?? 0;

/** Finds the number of the oldest stored batch. */
export const findOldestNumber = async ({ db }: Db, appId: string): Promise<number | undefined> =>
  (await findOldestBatch.first(db, { appId }))?.number;
