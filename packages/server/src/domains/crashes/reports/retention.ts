import type { Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { readSettings } from '../issues/app-settings.ts';
import { deleteAppCounts } from '../statistics/counts.store.ts';
import { findAppWithAttachments, listOldAttachments } from './attachments.store.ts';
import { deleteAttachments, deleteBlobs, findReportAttachments } from './attachments.ts';
import { deleteReportRows, findAppWithReports, listOldReports } from './reports.store.ts';

const BATCH_SIZE = 200;
const EVERYTHING = Number.MAX_SAFE_INTEGER;
/** Attachments may arrive before their reports, which may be 25 days late. */
const WAITS_FOR_REPORT = 28 * DAY;

/** The start of the retained period; everything of a deleted app has expired. */
async function getRetentionStart(ctx: Ctx, appId: string, appExists: boolean): Promise<number> {
  if (!appExists) return EVERYTHING;
  const { retentionDays } = await readSettings(ctx, appId);
  return ctx.clock.now() - retentionDays * DAY;
}

async function sweepAppReports(ctx: Ctx, appId: string, before: number): Promise<void> {
  for (;;) {
    const old = await listOldReports.all(ctx.db, { appId, before, limit: BATCH_SIZE });
    for (const { sent_id, install_id } of old) {
      const attachments = await findReportAttachments(ctx, appId, sent_id, install_id);
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
    if (old.length < BATCH_SIZE) return;
  }
}

async function sweepAppAttachments(ctx: Ctx, appId: string, before: number): Promise<void> {
  for (;;) {
    const old = await listOldAttachments.all(ctx.db, { appId, before, limit: BATCH_SIZE });
    await deleteBlobs(ctx, old);
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) await tx(ctx, ({ db }) => deleteAttachments(db, appId, ids));
    if (old.length < BATCH_SIZE) return;
  }
}

/** Deletes expired reports with attachments. Their counts stay, unless the app was deleted. */
export async function sweepReports(ctx: Ctx): Promise<void> {
  for (let after = ''; ; ) {
    const found = await findAppWithReports.first(ctx.db, { after });
    if (!found) break;
    const { app_id: appId, kept: existingAppId } = found;
    await sweepAppReports(ctx, appId, await getRetentionStart(ctx, appId, existingAppId !== null));
    if (existingAppId === null) await deleteAppCounts(ctx, appId);
    after = appId;
  }
  for (let after = ''; ; ) {
    const found = await findAppWithAttachments.first(ctx.db, { after });
    if (!found) break;
    const { app_id: appId, kept: existingAppId } = found;
    await sweepAppAttachments(ctx, appId, existingAppId === null ? EVERYTHING : ctx.clock.now() - WAITS_FOR_REPORT);
    after = appId;
  }
}
