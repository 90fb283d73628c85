import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { cutText } from '../../../kernel/cut-text.ts';
import { hasPassed, rewriteBatches } from '../../ingest/index.ts';
import { compactApp } from '../parts/compaction.ts';
import { usageLogs } from '../parts/consumer.ts';
import { listForgotten, saveCleaned } from './forgotten.store.ts';
import { USER_LENGTH } from './forgotten.ts';

/** Which logs of a user go; with an error goes what was attached to it. */
function logsOf(userId: string) {
  const wanted = cutText(userId, USER_LENGTH);
  const gone = new Set<unknown>();
  const isGone = (log: Readonly<Record<string, unknown>>): boolean => {
    const isTheirs = log.userId !== undefined && cutText(String(log.userId), USER_LENGTH) === wanted;
    if (isTheirs && log.id !== undefined) gone.add(log.id);
    return isTheirs || (log.errorId !== undefined && gone.has(log.errorId));
  };
  const words = JSON.stringify(wanted).slice(1, -1);
  // With a backslash the words may be written in another way; an attachment does not say whose it is.
  const mayBeIn = (text: string): boolean =>
    text.includes(words) || text.includes('\\') || (gone.size > 0 && text.includes('"errorId"'));
  return { isGone, mayBeIn };
}

/**
 * Takes what installations and users sent out of the batches as they came, so that nothing is left of it before their day is
 * over. Only once all of those were counted: whoever counts them now may have them in hand.
 */
export async function cleanBatches(ctx: Ctx, { appId }: { appId: string }): Promise<void> {
  const found = await listForgotten.all(ctx.db, { appId });
  const waiting = found.filter(({ kind, cleaned_to, up_to }) => kind !== 'event' && cleaned_to < up_to);
  if (waiting.length === 0) return;
  await compactApp(ctx, appId);
  for (const { kind, value, up_to: upTo } of waiting) {
    if (!(await hasPassed(ctx, usageLogs, appId, upTo)))
      throw new Error('Another process counts what is to be deleted.');
    const what = kind === 'install' ? { installId: value } : { logs: logsOf(value) };
    await rewriteBatches(ctx, { appId, last: upTo, ...what });
    await tx(ctx, ({ db }) => saveCleaned.run(db, { appId, kind, value, upTo }));
  }
}
