import type { Ctx, KeptLogs } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { startOfDay } from '../../../telemetry/index.ts';
import { withoutDeleted } from '../deletion/forgotten.ts';
import { usageLogs } from './consumer.ts';
import { countPinned, deletePin, deletePins, findPassed, findPinned, insertPin } from './kept-logs.store.ts';
import { listParts, toPart } from './parts.ts';
import { askParts } from './reading.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

/** Parts and the cursor of their batches change together under this lock, so what is in the one is never in the other. */
async function pin(ctx: Ctx, appId: string, holder: string): Promise<number> {
  await lock(ctx, 'analytics-parts', appId);
  for (const { id } of await listParts(ctx, appId, ALL_DAYS)) {
    await insertPin.run(ctx.db, { app_id: appId, holder, part_id: id });
  }
  return (await findPassed.first(ctx.db, { appId, consumer: usageLogs.name }))?.number ?? 0;
}

/** What is kept of an app, for whoever takes all of it out: part by part, hour by hour, the same whenever it is read. */
export const keptLogs: KeptLogs = {
  pin,
  count: async ({ db }, appId, holder) => Number((await countPinned.first(db, { appId, holder }))?.count ?? 0),
  async next({ db }, appId, holder) {
    const row = await findPinned.first(db, { appId, holder });
    return row && { id: row.id, day: row.day };
  },
  async read(ctx, appId, holder, { partId, hour, skip, limit }) {
    const row = await findPinned.first(ctx.db, { appId, holder });
    // Another process may have gone on to the next one.
    if (row?.id !== partId) return [];
    const start = startOfDay(row.day) + hour * HOUR;
    const range = { from: row.day, to: row.day };
    const times = { from: start, to: start + HOUR };
    const question = { ask: 'allLogs', range, filter: {}, times, skip, limit } as const;
    return askParts(ctx, [toPart(appId, row)], question);
  },
  done: async ({ db }, appId, holder, partId) => void (await deletePin.run(db, { appId, holder, partId })),
  unpin: async ({ db }, appId, holder) => void (await deletePins.run(db, { appId, holder })),
  withoutDeleted,
};
