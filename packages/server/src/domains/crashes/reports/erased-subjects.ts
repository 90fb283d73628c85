import type { Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { findGroup } from '../issues/issues.store.ts';
import { uncountReport } from '../statistics/counting.ts';
import { deleteAttachments, deleteBlobs, findReportAttachments } from './attachments.ts';
import {
  deleteDevice,
  type ErasedSubject,
  listSubjectAttachments,
  listSubjectReports,
} from './erased-subjects.store.ts';
import { processApp } from './processing/processing.ts';
import { deleteReportRows, findReport } from './reports.store.ts';

const BATCH_SIZE = 100;

/** Deletes the reports of an install or user, with attachments and counts. */
export async function eraseSubject(ctx: Ctx, subject: ErasedSubject): Promise<void> {
  const { appId } = subject;
  // Otherwise waiting batches would become reports later.
  await processApp(ctx, appId);
  for (;;) {
    const reports = await listSubjectReports(ctx.db, subject, BATCH_SIZE);
    for (const { id, sent_id, install_id } of reports) {
      const attachments = await findReportAttachments(ctx, appId, sent_id, install_id);
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
    if (reports.length < BATCH_SIZE) break;
  }
  if (subject.kind === 'user') return;
  for (;;) {
    const attachments = await listSubjectAttachments(ctx.db, subject, BATCH_SIZE);
    await deleteBlobs(ctx, attachments);
    const ids = attachments.map(({ id }) => id);
    if (ids.length > 0) await tx(ctx, ({ db }) => deleteAttachments(db, appId, ids));
    if (attachments.length < BATCH_SIZE) break;
  }
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'crash-reports', appId);
    // Reports that arrived after the request still count.
    const since = await listSubjectReports(ctx.db, { ...subject, until: Number.MAX_SAFE_INTEGER }, 1);
    if (since.length === 0) await deleteDevice(ctx.db, subject);
  });
}
