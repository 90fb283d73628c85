import type { Ctx } from '../../../context.ts';
import { searchKey } from '../../../kernel/search-key.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { CrashGroupsTable, CrashIssuesTable, State } from '../crashes.tables.ts';
import type { Grouping } from '../grouping/grouping-key.ts';
import { cut } from '../reports/values.ts';
import { announceNewGroup, announceRegression } from './announcing.ts';
import type { Assigned, GroupRef } from './assigned.ts';
import { shownKey } from './awaited-groups.ts';
import { followGroups } from './groups.ts';
import {
  findGroups,
  findGroupsByKeys,
  findIssues,
  findKeys,
  insertGroup,
  insertIssue,
  insertKey,
  takeAwaitedGroup,
  takeNumbers,
  updateIssueState,
} from './issues.store.ts';

const groupKey = (key: string, version: string, build: string): string => JSON.stringify([key, version, build]);

const LONGEST = 512;

/** What a group is known by, from the first report of it. */
function wordsOf({ exception, reasonFrame: frame }: Grouping) {
  const words = {
    exception_type: cut(exception.type, LONGEST),
    message: cut(exception.message, 2 * LONGEST),
    class_name: cut(frame?.className ?? frame?.image ?? '', LONGEST),
    method: cut(frame?.method ?? '', LONGEST),
    file: cut(frame?.file ?? '', LONGEST),
  };
  const search_key = Object.values(words).map(searchKey).join(' ');
  return { ...words, line: frame?.line ?? 0, frame: JSON.stringify(frame ?? null), search_key };
}

/** One transaction's memory of what it found and made. */
async function readPlaces({ db }: Pick<Ctx, 'db'>, appId: string, keys: readonly string[]) {
  const issueOf = new Map((await findKeys(db, appId, keys)).map(({ key, issue_id }) => [key, issue_id]));
  const ids = [...new Set(issueOf.values())];
  const issues = new Map((ids.length ? await findIssues(db, appId, ids) : []).map((issue) => [issue.id, issue]));
  const groups = new Map<string, GroupRef>(
    (await findGroupsByKeys(db, appId, keys)).map(({ id, issue_id, key, version, build }) => [
      groupKey(key, version, build),
      { groupId: id, issueId: issue_id },
    ]),
  );
  return { issueOf, issues, groups };
}

/** An issue that was closed opens again in a version that is newer than all that it was closed in. */
async function stateInVersion(ctx: Ctx, issue: CrashIssuesTable, groupId: string, one: Assigned): Promise<State> {
  const { version } = one.report;
  const { closed_version: closed } = issue;
  if (issue.state !== 'closed' || closed === null || compareVersions(version, closed) <= 0) return issue.state;
  const now = ctx.clock.now();
  Object.assign(issue, { state: 'open', closed_version: null, regressed_version: version, regressed_at: now });
  await updateIssueState.run(ctx.db, {
    appId: issue.app_id,
    id: issue.id,
    state: 'open',
    closed_version: null,
    regressed_version: version,
    regressed_at: now,
  });
  if (!one.isHistory) await announceRegression(ctx, issue, one, groupId, closed);
  return 'open';
}

/**
 * The groups that reports belong to, in their order; those that are missing are made, with their issues. In the transaction
 * that holds the lock of the app's reports.
 */
export async function assignGroups(ctx: Ctx, appId: string, assigned: readonly Assigned[]): Promise<GroupRef[]> {
  if (assigned.length === 0) return [];
  const { db } = ctx;
  const keys = [...new Set(assigned.map(({ grouping }) => grouping.key))];
  const { issueOf, issues, groups } = await readPlaces(ctx, appId, keys);

  const takeNumber = async (): Promise<number> => {
    const taken = await takeNumbers.first(db, { appId, count: 1 });
    if (!taken) throw new Error('no number was taken');
    return taken.last_number;
  };

  /** What was known of a report before it was moved. */
  async function former(from: string | null | undefined) {
    const [group] = from ? await findGroups(db, appId, [from]) : [];
    const [issue] = group ? await findIssues(db, appId, [group.issue_id]) : [];
    return { group, issue };
  }

  async function addIssue(
    { report, grouping, from }: Assigned,
    groupId: string,
    annotation: string,
  ): Promise<CrashIssuesTable> {
    const { issue: old } = await former(from);
    const issue: CrashIssuesTable = {
      app_id: appId,
      id: ctx.newId(),
      number: await takeNumber(),
      kind: report.kind,
      state: old?.state ?? 'open',
      annotation: old?.annotation ?? annotation,
      group_id: groupId,
      first_version: report.version,
      last_version: report.version,
      count: 0,
      device_count: 0,
      first_at: report.at,
      last_at: report.at,
      closed_version: old?.closed_version ?? null,
      regressed_version: null,
      regressed_at: null,
    };
    await insertIssue.run(db, issue);
    await insertKey.run(db, { app_id: appId, key: grouping.key, issue_id: issue.id });
    issueOf.set(grouping.key, issue.id);
    issues.set(issue.id, issue);
    return issue;
  }

  async function addGroup(one: Assigned): Promise<GroupRef> {
    const { report, grouping } = one;
    const { key } = grouping;
    const groupId = ctx.newId();
    const words = wordsOf(grouping);
    const awaited = await takeAwaitedGroup.first(db, {
      appId,
      key: shownKey({ version: report.version, build: report.build, ...words }),
    });
    const known = issues.get(issueOf.get(key) ?? '');
    const issue = known ?? (await addIssue(one, groupId, awaited?.annotation ?? ''));
    const group: CrashGroupsTable = {
      app_id: appId,
      id: groupId,
      number: await takeNumber(),
      issue_id: issue.id,
      key,
      kind: report.kind,
      version: report.version,
      build: report.build,
      state: awaited?.state ?? (await stateInVersion(ctx, issue, groupId, one)),
      annotation: (await former(one.from)).group?.annotation ?? awaited?.annotation ?? '',
      ...words,
      count: 0,
      device_count: 0,
      first_at: report.at,
      last_at: report.at,
      last_report_id: report.id,
    };
    await insertGroup.run(db, group);
    if (awaited) issues.set(issue.id, (await followGroups(ctx, appId, issue.id)) ?? issue);
    const ref = { groupId, issueId: issue.id };
    // What was only moved, or was known elsewhere, is not new.
    if (!one.from && !awaited && !one.isHistory) await announceNewGroup(ctx, appId, one, ref, known === undefined);
    return ref;
  }

  const refs: GroupRef[] = [];
  for (const one of assigned) {
    const at = groupKey(one.grouping.key, one.report.version, one.report.build);
    const ref = groups.get(at) ?? (await addGroup(one));
    groups.set(at, ref);
    refs.push(ref);
  }
  return refs;
}
