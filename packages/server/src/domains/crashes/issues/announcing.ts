import type { Ctx } from '../../../context.ts';
import { announceForApp, type ToldApp } from '../../webhooks/index.ts';
import type { CrashIssuesTable } from '../crashes.tables.ts';
import { cut } from '../reports/values.ts';
import { formatFrame } from '../stacks/stack.ts';
import type { Assigned, GroupRef } from './assigned.ts';

const MOST_FRAMES = 20;
const LONGEST = 512;

const toldOf = (app: ToldApp, { report, grouping }: Assigned, { groupId, issueId }: GroupRef) => {
  const { exception, reasonFrame } = grouping;
  return {
    id: groupId,
    issue_id: issueId,
    url: app.page(`crashes/${issueId}`),
    kind: report.kind,
    name: cut(reasonFrame ? formatFrame(reasonFrame) : exception.type, LONGEST),
    reason: cut([exception.type, exception.message].filter(Boolean).join(': '), LONGEST),
    app_platform: app.platform,
    app_version: report.build ? `${report.version}(${report.build})` : report.version,
    stack_trace: exception.frames.slice(0, MOST_FRAMES).map((frame) => cut(formatFrame(frame), LONGEST)),
  };
};

export const announceNewGroup = (ctx: Ctx, appId: string, one: Assigned, ref: GroupRef, isNewIssue: boolean) =>
  announceForApp(ctx, 'newCrashGroupCreated', appId, (app) => ({
    ...toldOf(app, one, ref),
    is_new_issue: isNewIssue,
    affected_users: 1,
    crash_count: 1,
  }));

export const announceRegression = (ctx: Ctx, issue: CrashIssuesTable, one: Assigned, groupId: string, closed: string) =>
  announceForApp(ctx, 'crashGroupRegressed', issue.app_id, (app) => ({
    ...toldOf(app, one, { groupId, issueId: issue.id }),
    closed_version: closed,
  }));
