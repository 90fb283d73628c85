import { text as readText } from 'node:stream/consumers';
import type { AppCtx, Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { isSignedUntil, signUntil } from '../../../kernel/crypto/sealed.ts';
import { Failure, notFound } from '../../../kernel/errors.ts';
import { decodeCursor, type Page, readPage } from '../../../kernel/paging.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import { downloadLink } from '../../../uploads/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import type { CrashAttachmentsTable, CrashReportsTable } from '../crashes.tables.ts';
import { getGroup } from '../issues/groups.ts';
import { emptyStack, type Stack } from '../stacks/stack.ts';
import { uncountReport } from '../statistics/counting.ts';
import { deleteAttachments, deleteBlobs, findReportAttachments, getOmissionReason } from './attachments.ts';
import { unpackJson, unpackText } from './bodies.ts';
import { deleteReportRows, findBody, findReport, pageFailed } from './reports.store.ts';
import { pageReports, type ReportFilter } from './search/report-lists.store.ts';
import type { Fields } from './values.ts';

export type Report = CrashReportsTable;
export type Attachment = CrashAttachmentsTable;

type Reading = Pick<AppCtx, 'db' | 'app'>;

/** A report by ID, in any group. */
export async function getReport({ db, app }: Reading, id: string): Promise<Report> {
  const report = await findReport.first(db, { appId: app.id, id: id.toLowerCase() });
  if (!report) throw notFound('report', id);
  return report;
}

export async function getGroupReport(ctx: Reading, groupId: string, id: string): Promise<Report> {
  const [group, report] = [await getGroup(ctx, groupId), await getReport(ctx, id)];
  if (report.group_id !== group.id) throw notFound('report in this group', id);
  return report;
}

/** The latest stored report of a group. */
export async function latestReport(ctx: Reading, groupId: string): Promise<Report> {
  const group = await getGroup(ctx, groupId);
  const last = await findReport.first(ctx.db, { appId: ctx.app.id, id: group.last_report_id });
  if (last?.group_id === group.id) return last;
  const [newest] = await pageReports(ctx.db, ctx.app.id, { groupIds: [group.id] }, { limit: 1 });
  if (!newest) throw new Failure('NotFound', 'This group has no stored reports: they have expired.');
  return newest;
}

export async function readStack({ db, app }: Reading, { id }: Pick<Report, 'id'>): Promise<Stack> {
  const body = await findBody.first(db, { appId: app.id, id });
  const stack = body && (await unpackJson<Stack | null>(body.stack));
  return stack ?? emptyStack('other');
}

/** The received log of a report, as JSON. */
export async function readLog({ db }: Pick<Deps, 'db'>, appId: string, id: string): Promise<string> {
  const body = await findBody.first(db, { appId, id });
  if (!body) throw notFound('log of that report');
  return unpackText(body.log);
}

export const readLogFields = async ({ db, app }: Reading, { id }: Report): Promise<Fields> =>
  parseOwnJson<Fields>(await readLog({ db }, app.id, id));

/** Pages of reports, newest first. */
export function listReports(
  { db, app }: Reading,
  filter: ReportFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Report>> {
  const [at, id] = cursor === undefined ? [] : decodeCursor(cursor, ['number', 'string']);
  const after = id === undefined ? undefined : { at: Number(at), id: String(id) };
  return readPage(
    limit,
    (rows) => pageReports(db, app.id, filter, { limit: rows, after }),
    (row) => [row.at, row.id],
    (row) => row,
  );
}

export interface Deleted {
  report: Report;
  attachments: number;
  blobs: number;
}

/** Deletes a report with attachments and counts; expired reports keep their counts. */
export async function deleteReport(
  ctx: AppCtx,
  { groupId, id, retainsCounts = false }: { groupId: string; id: string; retainsCounts?: boolean },
): Promise<Deleted> {
  const report = await getGroupReport(ctx, groupId, id);
  const attachments = await findReportAttachments(ctx, ctx.app.id, report.sent_id, report.install_id);
  const blobs = await deleteBlobs(ctx, attachments);
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'crash-reports', ctx.app.id);
    // Another request may have deleted it first.
    const found = await findReport.first(ctx.db, { appId: ctx.app.id, id: report.id });
    if (!found?.group_id) throw notFound('report', id);
    const { issue_id: issueId } = await getGroup(ctx, found.group_id);
    await deleteAttachments(
      ctx.db,
      ctx.app.id,
      attachments.map(({ id }) => id),
    );
    await deleteReportRows(ctx.db, ctx.app.id, [report.id]);
    if (!retainsCounts) await uncountReport(ctx, ctx.app.id, { ...found, group_id: found.group_id, issueId });
    await record(ctx, 'crash_report.delete', appSubject(ctx.app), {
      before: { report: report.id, group: found.group_id, at: report.at, attachments: attachments.length },
    });
  });
  return { report, attachments: attachments.length, blobs };
}

export const listReportAttachments = async (ctx: AppCtx, id: string): Promise<Attachment[]> => {
  const { sent_id, install_id } = await getReport(ctx, id);
  return findReportAttachments(ctx, ctx.app.id, sent_id, install_id);
};

/** A stored attachment. */
export async function getAttachment(ctx: AppCtx, reportId: string, id: string): Promise<Attachment> {
  const found = (await listReportAttachments(ctx, reportId)).find((one) => one.id === id.toLowerCase());
  if (!found) throw notFound('attachment of that report', id);
  const leftOut = getOmissionReason(found);
  if (leftOut !== undefined) throw new Failure('NotFound', `The attachment was not stored: ${leftOut}.`);
  return found;
}

export const attachmentLink = (ctx: Deps, { blob_key, file_name, id }: Attachment): string =>
  blob_key === '' ? '' : downloadLink(ctx, { key: blob_key, name: file_name.replace(/[/\\\p{Cc}]/gu, '_') || id });

/** As text, regardless of the content. */
export async function readAttachmentText(ctx: AppCtx, reportId: string, id: string): Promise<string> {
  const { blob_key } = await getAttachment(ctx, reportId, id);
  const blob = await ctx.blobs.get(blob_key);
  if (!blob) throw notFound('content of that attachment');
  return readText(blob.stream);
}

const purpose = 'crash-log';

/** A temporary URL for the log of a report; no sign-in is required. */
export function logLink(ctx: AppCtx, { id }: Report): string {
  const { secretKey, clock, config, app } = ctx;
  const text = Buffer.from(`${app.id}\n${id}`).toString('base64url');
  const expiresAt = clock.now() + config.downloadMinutes * MINUTE;
  const link = `${text}.${signUntil(secretKey, { purpose, text, expiresAt })}`;
  return `${getResponseUrl(ctx)}/crash-logs/${link}/${encodeURIComponent(id)}.json`;
}

/** The log of such a URL. One response for all invalid or expired links. */
export async function readLinkedLog(ctx: Ctx, link: string): Promise<string> {
  const [text = '', ...token] = link.split('.');
  if (!isSignedUntil(ctx.secretKey, { purpose, text, token: token.join('.') }, ctx.clock.now())) {
    throw new Failure('NotFound', 'This link is invalid or has expired. Request a new one.');
  }
  const [appId = '', id = ''] = Buffer.from(text, 'base64url').toString().split('\n');
  return readLog(ctx, appId, id);
}

/** Reports whose processing failed, newest first. */
export const listFailedReports = ({ db, app }: AppCtx, page: { limit: number; skip: number }): Promise<Report[]> =>
  pageFailed.all(db, { appId: app.id, ...page });
