import type { Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { readSettings } from '../issues/app-settings.ts';
import { deleteCountsOfApp } from '../statistics/counts.store.ts';
import { findAppOfAttachments, listOldAttachments } from './attachments.store.ts';
import { attachmentsOf, deleteAttachments, deleteBlobs } from './attachments.ts';
import { deleteReportRows, findAppOfReports, listOldReports } from './reports.store.ts';

const AT_ONCE = 200;
const EVERYTHING = Number.MAX_SAFE_INTEGER;
/** An attachment may come before its report, which may be 25 days late. */
const WAITS_FOR_REPORT = 28 * DAY;

/** Until when something of an app is kept; all of it goes if the app is gone. */
async function keptUntil(ctx: Ctx, appId: string, isKept: boolean): Promise<number> {
  if (!isKept) return EVERYTHING;
  const { retentionDays } = await readSettings(ctx, appId);
  return ctx.clock.now() - retentionDays * DAY;
}

async function sweepReportsOf(ctx: Ctx, appId: string, before: number): Promise<void> {
  for (;;) {
    const old = await listOldReports.all(ctx.db, { appId, before, limit: AT_ONCE });
    for (const { sent_id, install_id } of old) {
      const attachments = await attachmentsOf(ctx, appId, sent_id, install_id);
      await deleteBlobs(ctx, attachments);
      const ids = attachments.map(({ id }) => id);
      if (ids.length > 0) await tx(ctx, ({ db }) => deleteAttachments(db, appId, ids));
    }
    await tx(ctx, async (ctx) => {
      await lock(ctx, 'crash-reports', appId);
      await deleteReportRows(
        ctx.db,
        appId,
        old.map(({ id }) => id),
      );
    });
    if (old.length < AT_ONCE) return;
  }
}

async function sweepAttachmentsOf(ctx: Ctx, appId: string, before: number): Promise<void> {
  for (;;) {
    const old = await listOldAttachments.all(ctx.db, { appId, before, limit: AT_ONCE });
    await deleteBlobs(ctx, old);
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) await tx(ctx, ({ db }) => deleteAttachments(db, appId, ids));
    if (old.length < AT_ONCE) return;
  }
}

/** Deletes reports that are kept no longer with all they hold; what was counted of them stays, unless their app is gone. */
export async function sweepReports(ctx: Ctx): Promise<void> {
  for (let after = ''; ; ) {
    const found = await findAppOfReports.first(ctx.db, { after });
    if (!found) break;
    const { app_id: appId, kept } = found;
    await sweepReportsOf(ctx, appId, await keptUntil(ctx, appId, kept !== null));
    if (kept === null) await deleteCountsOfApp(ctx, appId);
    after = appId;
  }
  for (let after = ''; ; ) {
    const found = await findAppOfAttachments.first(ctx.db, { after });
    if (!found) break;
    const { app_id: appId, kept } = found;
    await sweepAttachmentsOf(ctx, appId, kept === null ? EVERYTHING : ctx.clock.now() - WAITS_FOR_REPORT);
    after = appId;
  }
}
