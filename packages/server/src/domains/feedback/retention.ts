import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { deleteOldCounts, findAppWithFeedback, listOldFeedback } from './feedback.store.ts';
import { removeFeedback } from './feedback.ts';
import { readRest } from './sentry-feedback.ts';

export const feedbackTidy = defineSchedule('feedback.tidy', HOUR);

const BATCH = 100;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Stores feedback that has waited, and deletes old feedback and that of deleted apps. */
export async function tidyFeedback(ctx: Ctx): Promise<void> {
  await readRest(ctx);
  const now = ctx.clock.now();
  for (let after = ''; ; ) {
    const match = await findAppWithFeedback.first(ctx.db, { after });
    if (!match) break;
    const { app_id: appId, known_app_id } = match;
    const before = known_app_id === null ? EVERYTHING : now - ctx.config.feedbackRetentionDays * DAY;
    for (;;) {
      const rows = await listOldFeedback.all(ctx.db, { appId, before, limit: BATCH });
      await tx(ctx, async (ctx) => {
        for (const { id } of rows) await removeFeedback(ctx, appId, id);
      });
      if (rows.length < BATCH) break;
    }
    after = appId;
  }
  await tx(ctx, ({ db }) => deleteOldCounts.run(db, { before: Math.floor(now / HOUR) - 1 }));
}
