import type { KnownIssue, KnownIssues } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { Failure } from '../../../kernel/errors.ts';
import { latestReport, readStack } from '../reports/reports.ts';
import { readSentStacks } from '../reports/sent-stacks.ts';
import { cut } from '../reports/values.ts';
import { formatFrame } from '../stacks/stack.ts';
import { getGroup, setIssueState } from './groups.ts';
import { findIssue, listGroupsOfIssue, updateGroupsOfIssue } from './issues.store.ts';

const MOST_FRAMES = 20;
const LONGEST = 512;

/** What is not there is undefined; everything else that fails, fails. */
const orNothing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'NotFound') return undefined;
    throw error;
  });

async function framesOf(ctx: Parameters<typeof readStack>[0], groupId: string): Promise<string[]> {
  const report = await orNothing(latestReport(ctx, groupId));
  if (!report) return [];
  const { exceptions, threads } = await readStack(ctx, report);
  const crashed = threads.find(({ isCrashed }) => isCrashed);
  const frames = exceptions.at(-1)?.frames ?? crashed?.frames ?? [];
  return frames.slice(0, MOST_FRAMES).map((frame) => cut(formatFrame(frame), LONGEST));
}

export const knownIssues: KnownIssues = {
  stacksOf: readSentStacks,
  async find({ db }, appId, groupId): Promise<KnownIssue | undefined> {
    const ctx = { db, app: { id: appId, ownerId: '', ownerName: '', name: '' } };
    const group = await orNothing(getGroup(ctx, groupId));
    const issue = group && (await findIssue.first(db, { appId, id: group.issue_id }));
    if (!issue) return undefined;
    const groups = await listGroupsOfIssue.all(db, { appId, issueId: issue.id });
    return {
      id: issue.id,
      number: issue.number,
      groupId: group.id,
      groupIds: groups.map(({ id }) => id),
      kind: issue.kind,
      state: issue.state,
      reason: cut([group.exception_type, group.message].filter(Boolean).join(': '), LONGEST),
      version: group.version,
      build: group.build,
      count: issue.count,
      deviceCount: issue.device_count,
      frames: await framesOf(ctx, group.id),
    };
  },
  setState: (ctx, appId, id, state) =>
    tx(ctx, async (ctx) => {
      await lock(ctx, 'crash-reports', appId);
      const issue = await findIssue.first(ctx.db, { appId, id });
      if (!issue || issue.state === state) return false;
      await setIssueState(ctx, issue, state, await listGroupsOfIssue.all(ctx.db, { appId, issueId: id }));
      await updateGroupsOfIssue.run(ctx.db, { appId, issueId: id, state });
      return true;
    }),
};
