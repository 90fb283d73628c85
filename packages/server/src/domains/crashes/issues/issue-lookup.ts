import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { Failure } from '../../../kernel/errors.ts';
import type { Kind } from '../crashes.tables.ts';
import { latestReport, readStack } from '../reports/reports.ts';
import { cut } from '../reports/values.ts';
import { formatFrame } from '../stacks/stack.ts';
import { getGroup, setIssueState } from './groups.ts';
import { findIssue, listIssueGroups, updateIssueGroups } from './issues.store.ts';

const MAX_FRAMES = 20;
const MAX_TEXT_LENGTH = 512;

/** Turns NotFound into undefined; rethrows other errors. */
const orNothing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'NotFound') return undefined;
    throw error;
  });

async function listTopFrames(ctx: Parameters<typeof readStack>[0], groupId: string): Promise<string[]> {
  const report = await orNothing(latestReport(ctx, groupId));
  if (!report) return [];
  const { exceptions, threads } = await readStack(ctx, report);
  const crashed = threads.find(({ isCrashed }) => isCrashed);
  const frames = exceptions.at(-1)?.frames ?? crashed?.frames ?? [];
  return frames.slice(0, MAX_FRAMES).map((frame) => cut(formatFrame(frame), MAX_TEXT_LENGTH));
}

/** An issue across its versions, with the group of the lookup. */
export interface FoundIssue {
  id: string;
  number: number;
  groupId: string;
  /** Groups of all its versions. */
  groupIds: string[];
  kind: Kind;
  state: 'open' | 'closed' | 'ignored';
  /** Type and message of the exception. */
  reason: string;
  version: string;
  build: string;
  count: number;
  deviceCount: number;
  /** The innermost calls, innermost first; empty if no report is stored. */
  frames: string[];
}

/** Finds an issue by the ID of a group that belongs or belonged to it. */
export async function findIssueByGroup(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  groupId: string,
): Promise<FoundIssue | undefined> {
  const ctx = { db, app: { id: appId, ownerId: '', ownerName: '', name: '' } };
  const group = await orNothing(getGroup(ctx, groupId));
  const issue = group && (await findIssue.first(db, { appId, id: group.issue_id }));
  if (!issue) return undefined;
  const groups = await listIssueGroups.all(db, { appId, issueId: issue.id });
  return {
    id: issue.id,
    number: issue.number,
    groupId: group.id,
    groupIds: groups.map(({ id }) => id),
    kind: issue.kind,
    state: issue.state,
    reason: cut([group.exception_type, group.message].filter(Boolean).join(': '), MAX_TEXT_LENGTH),
    version: group.version,
    build: group.build,
    count: issue.count,
    deviceCount: issue.device_count,
    frames: await listTopFrames(ctx, group.id),
  };
}

/** Opens or closes an issue in all its versions; returns false if it already has that state. */
export const changeIssueState = (ctx: Ctx, appId: string, id: string, state: 'open' | 'closed'): Promise<boolean> =>
  tx(ctx, async (ctx) => {
    await lock(ctx, 'crash-reports', appId);
    const issue = await findIssue.first(ctx.db, { appId, id });
    if (!issue || issue.state === state) return false;
    await setIssueState(ctx, issue, state, await listIssueGroups.all(ctx.db, { appId, issueId: id }));
    await updateIssueGroups.run(ctx.db, { appId, issueId: id, state });
    return true;
  });
