import type { Deps } from '../../../context.ts';
import { findLastReceived, findNextBatch } from '../counts.store.ts';
import { deleteCursor, findCursor, findOldestBatch, insertCursor } from './batches.store.ts';
import type { LogConsumer } from './consumers.ts';

/** Somebody who reads the batches of one app at their own pace, and is told of nothing. */
export type BatchReader = Pick<LogConsumer, 'name' | 'types'>;

const PREFIX = 'reader:';

export const batchReader = (id: string, types: readonly string[]): BatchReader => ({
  name: `${PREFIX}${id}`,
  types: new Set(types),
});

/** Whether a cursor is that of a reader: it counts as long as it is there. */
export const isReader = (name: string): boolean => name.startsWith(PREFIX);

type Db = Pick<Deps, 'db'>;

/** From now on batches are kept until the reader has passed them; also those that are still there, if it wants them. */
export async function retainBatches(
  { db }: Db,
  { name: consumer }: BatchReader,
  appId: string,
  { isFromOldest = false } = {},
): Promise<void> {
  const last = (await findLastReceived.first(db, { appId }))?.last_number ?? 0;
  const oldest = isFromOldest ? await findOldestBatch.first(db, { appId }) : undefined;
  await insertCursor.run(db, { appId, consumer, to: oldest ? oldest.number - 1 : last });
}

export const releaseBatches = ({ db }: Db, { name: consumer }: BatchReader, appId: string): Promise<number> =>
  deleteCursor.run(db, { appId, consumer });

/** How far a reader is, and what waits for it; nothing, if it holds no batches. */
export async function findReading({ db }: Db, { name: consumer }: BatchReader, appId: string) {
  const cursor = await findCursor.first(db, { appId, consumer });
  if (!cursor) return undefined;
  const last = (await findLastReceived.first(db, { appId }))?.last_number ?? 0;
  const next = await findNextBatch.first(db, { appId, after: cursor.number });
  return { number: cursor.number, waiting: Math.max(0, last - cursor.number), waitingSince: next?.received_at };
}
