import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { type AnnouncedApp, announceForApp } from '../../webhooks/index.ts';
import type { CrashIssuesTable } from '../crashes.tables.ts';
import { cut } from '../reports/values.ts';
import { formatFrame } from '../stacks/stack.ts';
import { addToAnnouncedHour, deleteAnnouncedHours, takeAnnouncedHour } from './announced-hours.store.ts';
import type { Assigned, GroupRef } from './assigned.ts';

const MAX_FRAMES = 20;
const MAX_TEXT_LENGTH = 512;

/** The announcement of a crash group. */
const describeGroup = ({ report, grouping }: Assigned, { groupId, issueId }: GroupRef) => {
  const { exception, reasonFrame } = grouping;
  return {
    id: groupId,
    issue_id: issueId,
    kind: report.kind,
    name: cut(reasonFrame ? formatFrame(reasonFrame) : exception.type, MAX_TEXT_LENGTH),
    reason: cut([exception.type, exception.message].filter(Boolean).join(': '), MAX_TEXT_LENGTH),
    app_version: report.build ? `${report.version}(${report.build})` : report.version,
    stack_trace: exception.frames.slice(0, MAX_FRAMES).map((frame) => cut(formatFrame(frame), MAX_TEXT_LENGTH)),
  };
};

type Group = ReturnType<typeof describeGroup>;

const ofApp = (app: AnnouncedApp, group: Group) => ({
  ...group,
  url: app.page(`crashes/${group.issue_id}`),
  app_platform: app.platform,
});

/** Announces the groups of an hour that were not announced separately. */
export const summarizeGroups = defineJob<{ appId: string; hour: number; group: Group }>('crash_groups.summarize');

const hourAt = (now: number): number => Math.floor(now / HOUR);

/**
 * Returns whether a group is announced separately; runs in the transaction that adds it. App secrets are public, so anyone
 * can send fake crashes: beyond a limit, groups of an hour are announced together at its end. Announcements also create
 * tickets.
 */
async function takePlace(ctx: Ctx, appId: string, group: () => Group): Promise<boolean> {
  const hour = hourAt(ctx.clock.now());
  const most = ctx.config.crashesAnnouncedPerHour;
  const row = await addToAnnouncedHour.first(ctx.db, { appId, hour });
  const count = Number(row?.count ?? 0);
  if (count === most + 1) {
    await enqueue(ctx, summarizeGroups, { appId, hour, group: group() }, { runAt: (hour + 1) * HOUR });
  }
  return count <= most;
}

export async function announceNewGroup(ctx: Ctx, appId: string, one: Assigned, ref: GroupRef, isNewIssue: boolean) {
  if (!(await takePlace(ctx, appId, () => describeGroup(one, ref)))) return;
  await announceForApp(ctx, 'newCrashGroupCreated', appId, (app) => ({
    ...ofApp(app, describeGroup(one, ref)),
    is_new_issue: isNewIssue,
    affected_users: 1,
    crash_count: 1,
  }));
}

export async function announceRegression(
  ctx: Ctx,
  issue: CrashIssuesTable,
  one: Assigned,
  groupId: string,
  closed: string,
) {
  const ref = { groupId, issueId: issue.id };
  if (!(await takePlace(ctx, issue.app_id, () => describeGroup(one, ref)))) return;
  await announceForApp(ctx, 'crashGroupRegressed', issue.app_id, (app) => ({
    ...ofApp(app, describeGroup(one, ref)),
    closed_version: closed,
  }));
}

/** Announces all remaining groups of an hour together, with the first as an example. */
export const announceSummary = (ctx: Ctx, { appId, hour, group }: { appId: string; hour: number; group: Group }) =>
  tx(ctx, async (ctx) => {
    const row = await takeAnnouncedHour.first(ctx.db, { appId, hour });
    const more = Number(row?.count ?? 0) - ctx.config.crashesAnnouncedPerHour;
    if (more <= 0) return;
    await announceForApp(ctx, 'newCrashGroupCreated', appId, (app) => ({
      ...ofApp(app, group),
      url: app.page('crashes'),
      // Prevents a ticket.
      is_new_issue: false,
      affected_users: 1,
      crash_count: 1,
      more_count: more,
    }));
  });

/** Deletes hours whose summary was announced or not needed. */
export const sweepAnnouncedHours = (ctx: Ctx): Promise<unknown> =>
  tx(ctx, ({ db, clock }) => deleteAnnouncedHours.run(db, { before: hourAt(clock.now()) - 24 }));
