import { buffer } from 'node:stream/consumers';
import type { SubjectRecords } from '../../../extensions/subject-records.ts';
import { parseJson } from '../../../kernel/text/json.ts';
import { findReportAttachments } from './attachments.ts';
import {
  countDeviceRows,
  listSubjectAttachments,
  listSubjectReports,
  pageSubjectReports,
} from './erased-subjects.store.ts';
import { processApp } from './processing/processing.ts';
import { readLog } from './reports.ts';

const PAGE = 100;
const MANY = 10_000;
const EVER = Number.MAX_SAFE_INTEGER;

/** Crashes and errors of an install or user, with attachments. */
export const subjectReports: SubjectRecords = {
  name: 'crashes',
  async *read(ctx, subject) {
    const { appId } = subject;
    // Otherwise waiting batches would be missing.
    await processApp(ctx, appId);
    for (let after = ''; ; ) {
      const reports = await pageSubjectReports(ctx.db, subject, { after, limit: PAGE });
      for (const report of reports) {
        const { app_id: _, ...exported } = report;
        yield { record: 'report', ...exported, log: parseJson(await readLog(ctx, appId, report.id)) };
        for (const { id, file_name, content_type, size, blob_key } of await findReportAttachments(
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
  async countLeft({ db }, subject, until) {
    const known = { ...subject, until };
    const reports = await listSubjectReports(db, known, MANY);
    if (subject.kind === 'user') return reports.length;
    const attachments = await listSubjectAttachments(db, known, MANY);
    const since = await listSubjectReports(db, { ...subject, until: EVER }, 1);
    const devices = since.length > 0 ? 0 : await countDeviceRows(db, subject);
    return reports.length + attachments.length + devices;
  },
};
