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
import { listBodies, listReportsBefore } from '../reports/reports.store.ts';
import { reportsReprocess } from '../reports/reprocess-job.ts';
import type { Stack } from '../stacks/stack.ts';
import { groupReport } from './grouping-key.ts';
import type { GroupingRule } from './rules.ts';

/** Saves the grouping rules of an app; its reports are grouped anew in the background. */
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
        `This server keeps reports for ${most} days at most; its operator can allow more with MOORING_CRASHES_RETENTION_DAYS.`,
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
const AT_ONCE = 100;
const SHOWN = 20;

/** Reports that would no longer be together, or would be together from then on. */
export interface Change {
  /** What the issues are known by that they are in now, and how many of them each has. */
  issues: { id: string; title: string; count: number }[];
  count: number;
}

export interface Preview {
  reports: number;
  /** How many problems there are among them now, and would be. */
  before: number;
  after: number;
  merged: Change[];
  split: Change[];
}

/** What rules would do to the newest reports of an app. Changes nothing. */
export async function previewRules({ db, app }: AppCtx, rules: readonly GroupingRule[]): Promise<Preview> {
  const seen: { issueId: string; key: string }[] = [];
  const titles = new Map<string, string>();
  let position = { at: Number.MAX_SAFE_INTEGER, id: '' };
  while (seen.length < PREVIEWED) {
    const rows = await listReportsBefore.all(db, { appId: app.id, ...position, limit: AT_ONCE });
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
    if (!last || rows.length < AT_ONCE) break;
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
  const largest = (changes: Change[]) => changes.sort((a, b) => b.count - a.count).slice(0, SHOWN);
  return {
    reports: seen.length,
    before: byIssue.size,
    after: byKey.size,
    merged: largest([...byKey.values()].map(toChange).filter(({ issues }) => issues.length > 1)),
    split: largest([...byIssue.values()].filter((some) => new Set(some.map(({ key }) => key)).size > 1).map(toChange)),
  };
}
