import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { cutText } from '../../../kernel/text/cut-text.ts';
import { hasPassed, rewriteBatches } from '../../ingest/index.ts';
import { compactApp } from '../parts/compaction.ts';
import { usageLogs } from '../parts/consumer.ts';
import { listErasures, saveCleaned } from './erasures.store.ts';
import { USER_LENGTH } from './erasures.ts';

/** Matches logs of a user. The attachments of a matched error match too. */
function createLogMatcher(userId: string) {
  const erasedUserId = cutText(userId, USER_LENGTH);
  const erasedIds = new Set<unknown>();
  const isErased = (log: Readonly<Record<string, unknown>>): boolean => {
    const isTheirs = log.userId !== undefined && cutText(String(log.userId), USER_LENGTH) === erasedUserId;
    if (isTheirs && log.id !== undefined) erasedIds.add(log.id);
    return isTheirs || (log.errorId !== undefined && erasedIds.has(log.errorId));
  };
  const escapedUserId = JSON.stringify(erasedUserId).slice(1, -1);
  // Text with a backslash may contain the ID in an escaped form, and an attachment does not name its user.
  const mayBeIn = (text: string): boolean =>
    text.includes(escapedUserId) || text.includes('\\') || (erasedIds.size > 0 && text.includes('"errorId"'));
  return { isGone: isErased, mayBeIn };
}

/**
 * Removes erased logs from the stored batches, before these expire. Runs only after the batches were counted: a process that
 * is counting them may have read them already.
 */
export async function cleanBatches(ctx: Ctx, { appId }: { appId: string }): Promise<void> {
  const found = await listErasures.all(ctx.db, { appId });
  const waiting = found.filter(({ kind, cleaned_to, up_to }) => kind !== 'event' && cleaned_to < up_to);
  if (waiting.length === 0) return;
  await compactApp(ctx, appId);
  for (const { kind, value, up_to: upTo } of waiting) {
    if (!(await hasPassed(ctx, usageLogs, appId, upTo)))
      throw new Error('Another process is still counting the batches to delete.');
    const what = kind === 'install' ? { installId: value } : { logs: createLogMatcher(value) };
    await rewriteBatches(ctx, { appId, last: upTo, ...what });
    await tx(ctx, ({ db }) => saveCleaned.run(db, { appId, kind, value, upTo }));
  }
}
