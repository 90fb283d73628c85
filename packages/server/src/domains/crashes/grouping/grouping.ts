import type { AppCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { ensureApp, readSettings } from '../issues/app-settings.ts';
import { findGroups, updateRetention, updateRules } from '../issues/issues.store.ts';
import { unpackJson } from '../reports/bodies.ts';
import { reportsReprocess } from '../reports/processing/reprocess-job.ts';
import { listBodies, listReportsBefore } from '../reports/reports.store.ts';
import type { Stack } from '../stacks/stack.ts';
import { groupReport } from './grouping-key.ts';
import type { GroupingRule } from './rules.ts';

/** Saves the grouping rules of an app, and regroups its reports in the background. */
export const changeRules = (ctx: AppCtx, rules: readonly GroupingRule[]): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    await ensureApp(ctx, app.id);
    const before = await readSettings(ctx, app.id);
    await updateRules.run(db, { appId: app.id, rules: JSON.stringify(rules) });
    const run = { id: ctx.newId(), reason: 'rules' } as const;
    await enqueue(ctx, reportsReprocess, { appId: app.id, scope: {}, run });
    await record(ctx, 'crash_grouping.update', appSubject(app), {
      before: { rules: JSON.stringify(before.rules) },
      after: { rules: JSON.stringify(rules) },
    });
  });

export const changeRetention = (ctx: AppCtx, days: number): Promise<void> =>
  tx(ctx, async (ctx) => {
    const most = ctx.config.crashesRetentionDays;
    if (days > most)
      throw badRequest(
        `This server retains reports for at most ${most} days. Its operator can raise the limit with MOORING_CRASHES_RETENTION_DAYS.`,
      );
    await ensureApp(ctx, ctx.app.id);
    const { retentionDays } = await readSettings(ctx, ctx.app.id);
    await updateRetention.run(ctx.db, { appId: ctx.app.id, days });
    await record(ctx, 'crash_retention.update', appSubject(ctx.app), {
      before: { days: retentionDays },
      after: { days },
    });
  });

const PREVIEWED = 1000;
const BATCH_SIZE = 100;
const VISIBLE_CHANGES = 20;

/** A set of reports that would be split or merged. */
export interface Change {
  /** The current issues of these reports, with their counts. */
  issues: { id: string; title: string; count: number }[];
  count: number;
}

export interface Preview {
  reports: number;
  /** Number of problems before and after the change. */
  before: number;
  after: number;
  merged: Change[];
  split: Change[];
}

/** Applies rules to the newest reports of an app without changing anything. */
export async function previewRules({ db, app }: AppCtx, rules: readonly GroupingRule[]): Promise<Preview> {
  const seen: { issueId: string; key: string }[] = [];
  const titles = new Map<string, string>();
  let position = { at: Number.MAX_SAFE_INTEGER, id: '' };
  while (seen.length < PREVIEWED) {
    const rows = await listReportsBefore.all(db, { appId: app.id, ...position, limit: BATCH_SIZE });
    const grouped = rows.filter((row) => row.group_id !== null);
    const groupIds = [...new Set(grouped.map((row) => String(row.group_id)))];
    const groups = new Map((groupIds.length ? await findGroups(db, app.id, groupIds) : []).map((one) => [one.id, one]));
    const ids = grouped.map(({ id }) => id);
    const bodies = new Map(
      (ids.length ? await listBodies(db, app.id, ids) : []).map((one) => [one.report_id, one.stack]),
    );
    for (const row of grouped) {
      const [group, packed] = [groups.get(String(row.group_id)), bodies.get(row.id)];
      const stack = packed && (await unpackJson<Stack | null>(packed));
      if (!group || !stack) continue;
      seen.push({ issueId: group.issue_id, key: groupReport(row.kind, stack, rules).key });
      titles.set(group.issue_id, `${group.exception_type} in ${group.class_name}.${group.method}`);
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) break;
    position = { at: last.at, id: last.id };
  }
  const byKey = Map.groupBy(seen, ({ key }) => key);
  const byIssue = Map.groupBy(seen, ({ issueId }) => issueId);
  const toChange = (of: readonly { issueId: string }[]): Change => ({
    issues: [...Map.groupBy(of, ({ issueId }) => issueId)].map(([id, some]) => ({
      id,
      title: titles.get(id) ?? '',
      count: some.length,
    })),
    count: of.length,
  });
  const largest = (changes: Change[]) => changes.sort((a, b) => b.count - a.count).slice(0, VISIBLE_CHANGES);
  return {
    reports: seen.length,
    before: byIssue.size,
    after: byKey.size,
    merged: largest([...byKey.values()].map(toChange).filter(({ issues }) => issues.length > 1)),
    split: largest([...byIssue.values()].filter((some) => new Set(some.map(({ key }) => key)).size > 1).map(toChange)),
  };
}
