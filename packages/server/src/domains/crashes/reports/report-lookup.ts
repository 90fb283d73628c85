import type { Deps } from '../../../context.ts';
import { findSentReport } from './report-lookup.store.ts';

/** A report, with its group and issue if it could be processed. */
export interface FoundReport {
  id: string;
  groupId: string | undefined;
  issueId: string | undefined;
}

/** Finds a report by the ID that the SDK assigned to it, for other domains. */
export async function findReportBySentId(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  sentId: string,
): Promise<FoundReport | undefined> {
  const row = await findSentReport.first(db, { appId, sentId });
  return row && { id: row.id, groupId: row.group_id ?? undefined, issueId: row.issue_id ?? undefined };
}
