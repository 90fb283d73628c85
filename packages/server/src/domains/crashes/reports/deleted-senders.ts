import type { Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { findGroup } from '../issues/issues.store.ts';
import { uncountReport } from '../statistics/counting.ts';
import { attachmentsOf, deleteAttachments, deleteBlobs } from './attachments.ts';
import { deleteDevice, listAttachmentsOf, listReportsOf, type Sender } from './deleted-senders.store.ts';
import { processApp } from './processing.ts';
import { deleteReportRows, findReport } from './reports.store.ts';

const AT_ONCE = 100;

/** Deletes the reports of an installation or a user with all they hold, and what was counted of them. */
export async function deleteSender(ctx: Ctx, sender: Sender): Promise<void> {
  const { appId } = sender;
  // What waits in batches would become reports later.
  await processApp(ctx, appId);
  for (;;) {
    const reports = await listReportsOf(ctx.db, sender, AT_ONCE);
    for (const { id, sent_id, install_id } of reports) {
      const attachments = await attachmentsOf(ctx, appId, sent_id, install_id);
      await deleteBlobs(ctx, attachments);
      await tx(ctx, async (ctx) => {
        await lock(ctx, 'crash-reports', appId);
        const found = await findReport.first(ctx.db, { appId, id });
        if (!found) return;
        const ids = attachments.map((each) => each.id);
        if (ids.length > 0) await deleteAttachments(ctx.db, appId, ids);
        await deleteReportRows(ctx.db, appId, [id]);
        const group =
          found.group_id === null ? undefined : await findGroup.first(ctx.db, { appId, id: found.group_id });
        if (group) await uncountReport(ctx, appId, { ...found, group_id: group.id, issueId: group.issue_id });
      });
    }
    if (reports.length < AT_ONCE) break;
  }
  if (sender.kind === 'user') return;
  for (;;) {
    const attachments = await listAttachmentsOf(ctx.db, sender, AT_ONCE);
    await deleteBlobs(ctx, attachments);
    const ids = attachments.map(({ id }) => id);
    if (ids.length > 0) await tx(ctx, ({ db }) => deleteAttachments(db, appId, ids));
    if (attachments.length < AT_ONCE) break;
  }
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'crash-reports', appId);
    // What it sent since counts.
    const since = await listReportsOf(ctx.db, { ...sender, until: Number.MAX_SAFE_INTEGER }, 1);
    if (since.length === 0) await deleteDevice(ctx.db, sender);
  });
}
