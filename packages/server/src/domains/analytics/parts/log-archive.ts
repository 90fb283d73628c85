import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { type FoundLog, getDayStart } from '../../../telemetry/index.ts';
import { getPassedNumber } from '../../ingest/index.ts';
import { withoutDeleted } from '../deletion/erasures.ts';
import { usageLogs } from './consumer.ts';
import { countPinned, deletePin, deletePins, findPinned, insertPin } from './log-archive.store.ts';
import { listParts, toPart } from './parts.ts';
import { queryParts } from './reading.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

/** Segments and the cursor of their batches change together under this lock, so a log is either in a segment or after the cursor. */
async function pin(ctx: Ctx, appId: string, holder: string): Promise<number> {
  await lock(ctx, 'analytics-parts', appId);
  for (const { id } of await listParts(ctx, appId, ALL_DAYS)) {
    await insertPin.run(ctx.db, { app_id: appId, holder, part_id: id });
  }
  return getPassedNumber(ctx, usageLogs, appId);
}

type Db = Pick<Deps, 'db'>;

/** Position within a pinned segment. */
export interface ArchivePage {
  partId: string;
  hour: number;
  skip: number;
  limit: number;
}

/**
 * All stored logs of an app, for a domain that copies them elsewhere. A holder pins the segments that exist, and reads them at
 * its own pace: segment by segment, hour by hour, in an order that never changes.
 */
export const logArchive = {
  /** In a transaction: returns the last batch of `ingest` whose logs are in the pinned segments. */
  pin,
  /** Counts the pinned segments. */
  count: async ({ db }: Db, appId: string, holder: string): Promise<number> =>
    Number((await countPinned.first(db, { appId, holder }))?.count ?? 0),
  /** Finds the next segment of a holder; `day` counts UTC days since 1970. */
  async next({ db }: Db, appId: string, holder: string): Promise<{ id: string; day: number } | undefined> {
    const row = await findPinned.first(db, { appId, holder });
    return row && { id: row.id, day: row.day };
  },
  /** Reads logs of one hour of a segment; none if the holder has finished it. */
  async read(ctx: Ctx, appId: string, holder: string, { partId, hour, skip, limit }: ArchivePage): Promise<FoundLog[]> {
    const row = await findPinned.first(ctx.db, { appId, holder });
    // Another process may have advanced to the next segment.
    if (row?.id !== partId) return [];
    const start = getDayStart(row.day) + hour * HOUR;
    const range = { from: row.day, to: row.day };
    const times = { from: start, to: start + HOUR };
    const telemetryQuery = { kind: 'allLogs', range, filter: {}, times, skip, limit } as const;
    return queryParts(ctx, [toPart(appId, row)], telemetryQuery);
  },
  /** Releases a segment that the holder has finished. */
  done: async ({ db }: Db, appId: string, holder: string, partId: string): Promise<void> =>
    void (await deletePin.run(db, { appId, holder, partId })),
  /** Releases all segments of a holder. */
  unpin: async ({ db }: Db, appId: string, holder: string): Promise<void> =>
    void (await deletePins.run(db, { appId, holder })),
  /** Filters out logs erased since ingestion. */
  withoutDeleted,
};
