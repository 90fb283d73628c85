import { buffer } from 'node:stream/consumers';
import type { SenderRecords } from '../../../context.ts';
import { attachmentsOf } from './attachments.ts';
import { countDeviceRows, listAttachmentsOf, listReportsOf, pageReportsOf } from './deleted-senders.store.ts';
import { processApp } from './processing.ts';
import { readLog } from './reports.ts';

const PAGE = 100;
const MANY = 10_000;
const EVER = Number.MAX_SAFE_INTEGER;

/** Crashes and errors of an installation or a user, with their attachments. */
export const senderReports: SenderRecords = {
  name: 'crashes',
  async *read(ctx, sender) {
    const { appId } = sender;
    // What waits in batches becomes reports, too.
    await processApp(ctx, appId);
    for (let after = ''; ; ) {
      const reports = await pageReportsOf(ctx.db, sender, { after, limit: PAGE });
      for (const report of reports) {
        const { app_id: _, ...told } = report;
        yield { record: 'report', ...told, log: JSON.parse(await readLog(ctx, appId, report.id)) };
        for (const { id, file_name, content_type, size, blob_key } of await attachmentsOf(
          ctx,
          appId,
          report.sent_id,
          report.install_id,
        )) {
          const blob = blob_key === '' ? undefined : await ctx.blobs.get(blob_key);
          const data = blob && (await buffer(blob.stream)).toString('base64');
          yield { record: 'attachment', report_id: report.id, id, file_name, content_type, size, data };
        }
      }
      const last = reports.at(-1);
      if (reports.length < PAGE || !last) return;
      after = last.id;
    }
  },
  async countLeft({ db }, sender, until) {
    const known = { ...sender, until };
    const reports = await listReportsOf(db, known, MANY);
    if (sender.kind === 'user') return reports.length;
    const attachments = await listAttachmentsOf(db, known, MANY);
    const since = await listReportsOf(db, { ...sender, until: EVER }, 1);
    const devices = since.length > 0 ? 0 : await countDeviceRows(db, sender);
    return reports.length + attachments.length + devices;
  },
};
