import type { Ctx } from '../../../context.ts';
import { searchKey } from '../../../kernel/text/search-key.ts';
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

const MAX_TEXT_LENGTH = 512;

/** Properties of a group, taken from its first report. */
function toGroupTexts({ exception, reasonFrame: frame }: Grouping) {
  const texts = {
    exception_type: cut(exception.type, MAX_TEXT_LENGTH),
    message: cut(exception.message, 2 * MAX_TEXT_LENGTH),
    class_name: cut(frame?.className ?? frame?.image ?? '', MAX_TEXT_LENGTH),
    method: cut(frame?.method ?? '', MAX_TEXT_LENGTH),
    file: cut(frame?.file ?? '', MAX_TEXT_LENGTH),
  };
  const search_key = Object.values(texts).map(searchKey).join(' ');
  return { ...texts, line: frame?.line ?? 0, frame: JSON.stringify(frame ?? null), search_key };
}

/** Cache of issues and groups for one transaction. */
async function readPlaces({ db }: Pick<Ctx, 'db'>, appId: string, keys: readonly string[]) {
  const issueIdByKey = new Map((await findKeys(db, appId, keys)).map(({ key, issue_id }) => [key, issue_id]));
  const ids = [...new Set(issueIdByKey.values())];
  const issues = new Map((ids.length ? await findIssues(db, appId, ids) : []).map((issue) => [issue.id, issue]));
  const groups = new Map<string, GroupRef>(
    (await findGroupsByKeys(db, appId, keys)).map(({ id, issue_id, key, version, build }) => [
      groupKey(key, version, build),
      { groupId: id, issueId: issue_id },
    ]),
  );
  return { issueIdByKey, issues, groups };
}

/** Reopens a closed issue if it occurs in a version newer than every version it was closed in. */
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
 * Returns the groups of reports, in order, and creates missing groups and issues. The caller's transaction holds the lock of
 * the app's reports.
 */
export async function assignGroups(ctx: Ctx, appId: string, assigned: readonly Assigned[]): Promise<GroupRef[]> {
  if (assigned.length === 0) return [];
  const { db } = ctx;
  const keys = [...new Set(assigned.map(({ grouping }) => grouping.key))];
  const { issueIdByKey, issues, groups } = await readPlaces(ctx, appId, keys);

  const takeNumber = async (): Promise<number> => {
    const taken = await takeNumbers.first(db, { appId, count: 1 });
    if (!taken) throw new Error('could not take an issue number');
    return taken.last_number;
  };

  /** The group of a report before it was moved. */
  async function findPrevious(from: string | null | undefined) {
    const [group] = from ? await findGroups(db, appId, [from]) : [];
    const [issue] = group ? await findIssues(db, appId, [group.issue_id]) : [];
    return { group, issue };
  }

  async function addIssue(
    { report, grouping, from }: Assigned,
    groupId: string,
    annotation: string,
  ): Promise<CrashIssuesTable> {
    const { issue: old } = await findPrevious(from);
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
    issueIdByKey.set(grouping.key, issue.id);
    issues.set(issue.id, issue);
    return issue;
  }

  async function addGroup(one: Assigned): Promise<GroupRef> {
    const { report, grouping } = one;
    const { key } = grouping;
    const groupId = ctx.newId();
    const texts = toGroupTexts(grouping);
    const awaited = await takeAwaitedGroup.first(db, {
      appId,
      key: shownKey({ version: report.version, build: report.build, ...texts }),
    });
    const known = issues.get(issueIdByKey.get(key) ?? '');
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
      annotation: (await findPrevious(one.from)).group?.annotation ?? awaited?.annotation ?? '',
      ...texts,
      count: 0,
      device_count: 0,
      first_at: report.at,
      last_at: report.at,
      last_report_id: report.id,
    };
    await insertGroup.run(db, group);
    if (awaited) issues.set(issue.id, (await followGroups(ctx, appId, issue.id)) ?? issue);
    const ref = { groupId, issueId: issue.id };
    // Moved reports, imported reports and groups with a state from another server are not announced as new.
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
