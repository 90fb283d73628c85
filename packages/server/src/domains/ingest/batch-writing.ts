import type { Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs/index.ts';
import { SECOND } from '../../kernel/clock.ts';
import { insertBatch, takeNumbers } from './batches.store.ts';
import { definedConsumers } from './consumers.ts';
import { type StoredBody, toStored } from './stored-body.ts';

export interface NewBatch extends StoredBody {
  appId: string;
  /** In lower case. */
  installId: string;
  logCount: number;
}

/** How long news are collected before those are told who take them. */
const NEWS_AFTER = 3 * SECOND;

/** Tells consumers that something came, once for all that comes within a few seconds. */
export interface News {
  tell(ctx: Deps, appId: string): Promise<void>;
}

export function createNews(): News {
  /** Until when a job waits, by app. */
  const told = new Map<string, number>();
  return {
    async tell(ctx, appId) {
      const now = ctx.clock.now();
      const until = told.get(appId);
      // What comes in the last moment, or after the clock was set back, is told again.
      if (until !== undefined && until - now > SECOND && until - now <= NEWS_AFTER) return;
      const runAt = now + NEWS_AFTER;
      for (const { job } of definedConsumers()) await enqueue(ctx, job, { appId }, { runAt });
      ctx.db.afterCommit(() => {
        if (told.size > 10_000) told.clear();
        told.set(appId, runAt);
      });
    },
  };
}

/**
 * Writes batches in one transaction: durable when it resolves. Apps in one order, so that two processes never wait for each
 * other.
 */
export const writeBatches = (ctx: Deps, batches: readonly NewBatch[], news: News): Promise<void> =>
  tx(ctx, async (ctx) => {
    const byApp = Map.groupBy(batches, ({ appId }) => appId);
    for (const appId of [...byApp.keys()].sort()) {
      await addToApp(ctx, appId, byApp.get(appId) ?? []);
      await news.tell(ctx, appId);
    }
  });

async function addToApp(ctx: Deps, appId: string, batches: readonly NewBatch[]): Promise<void> {
  const count = batches.length;
  const taken = await takeNumbers.first(ctx.db, { appId, count, latest: ctx.clock.now() + count - 1 });
  if (!taken) throw new Error('no numbers were taken');
  let number = taken.last_number - count;
  let receivedAt = taken.last_received_at - count;
  for (const { installId, logCount, size, encoding, body } of batches) {
    number += 1;
    receivedAt += 1;
    await insertBatch.run(ctx.db, {
      app_id: appId,
      number,
      received_at: receivedAt,
      install_id: installId,
      log_count: logCount,
      size,
      encoding,
      body,
    });
  }
}

/** Logs that come from this server itself, of any age, as if an install had sent them. */
export async function addLogs(
  ctx: Deps,
  { appId, installId, logs }: { appId: string; installId: string; logs: readonly object[] },
): Promise<void> {
  const stored = await toStored(Buffer.from(JSON.stringify({ logs })));
  await writeBatches(
    ctx,
    [{ appId, installId: installId.toLowerCase(), logCount: logs.length, ...stored }],
    createNews(),
  );
}
