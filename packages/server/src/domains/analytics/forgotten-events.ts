import type { AppCtx, Deps } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs/index.ts';
import { conflict } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { usageLogs } from './consumer.ts';
import { deleteForgotten, findLastBatch, listForgotten, saveForgotten } from './forgotten-events.store.ts';
import { setForgotten } from './parts.store.ts';
import { listParts } from './parts.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

/**
 * Forgets an event: from now on nobody sees what came of it until now; what comes later counts. Parts are marked at once
 * and written anew by the next compaction.
 */
export const deleteEvent = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    await lock(ctx, 'analytics-parts', appId);
    const last = await findLastBatch.first(ctx.db, { appId });
    await saveForgotten.run(ctx.db, { appId, name, upTo: last?.last_number ?? 0 });
    for (const { id, forgotten } of await listParts(ctx, appId, ALL_DAYS)) {
      const names = JSON.stringify([...new Set([...forgotten, name])]);
      await setForgotten.run(ctx.db, { appId, id, forgotten: names });
    }
    await enqueue(ctx, usageLogs.job, { appId });
    await record(ctx, 'analytics_event.delete', appSubject(ctx.app), { before: { name } });
  });

/** Deleted events, and the last batch of each in which they do not count. */
export async function listForgottenEvents({ db }: Pick<Deps, 'db'>, appId: string): Promise<Map<string, number>> {
  return new Map((await listForgotten.all(db, { appId })).map((row) => [row.name, row.up_to]));
}

/** In the transaction that publishes parts: refuses if an event was deleted since they were begun. */
export async function checkForgotten(ctx: Pick<Deps, 'db'>, appId: string, known: Map<string, number>): Promise<void> {
  for (const [name, upTo] of await listForgottenEvents(ctx, appId)) {
    if (known.get(name) !== upTo) throw conflict(`The event ${name} was deleted meanwhile.`);
  }
}

/** What came until then has become parts, in which it is marked. */
export async function releaseForgotten(ctx: Pick<Deps, 'db'>, appId: string, passed: number): Promise<void> {
  const isAny = (await listForgotten.all(ctx.db, { appId })).some((row) => row.up_to <= passed);
  if (isAny) await tx(ctx, ({ db }) => deleteForgotten.run(db, { appId, passed }));
}
