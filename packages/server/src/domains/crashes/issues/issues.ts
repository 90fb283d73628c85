import type { AppCtx, Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { DAY } from '../../../kernel/clock.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import { type DayRange, toDay } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { issueChanged } from '../crashes.events.ts';
import type { CrashIssuesTable, Kind, State } from '../crashes.tables.ts';
import { byDay } from '../range.ts';
import { countGroupsByDay } from '../statistics/statistics.store.ts';
import { countBy, countReportsByDay } from '../statistics/statistics.ts';
import { type Group, getNewestVersion, setIssueState } from './groups.ts';
import {
  countIssueDevices,
  deleteIssue,
  deleteIssueDevices,
  deleteIssueKeys,
  fillIssueDevices,
  findIssueShown,
  type IssueSort,
  listGroupsByIssues,
  listIssueKeys,
  moveGroups,
  moveKey,
  pageIssues,
  updateIssueCounts,
} from './issue-lists.store.ts';
import {
  findIssue,
  insertIssue,
  listIssueGroups,
  takeNumbers,
  updateIssueGroups,
  updateIssueNote,
} from './issues.store.ts';

export type Issue = NonNullable<Awaited<ReturnType<typeof findIssueShown.first>>>;

const TREND_DAYS = 28;

/** The last four weeks, for sparklines. */
export const trendRange = (now: number): DayRange => ({ from: toDay(now) - TREND_DAYS + 1, to: toDay(now) });

const sorts: Sorts<IssueSort> = { last_at: 'time', count: 'time', device_count: 'time' };

export interface IssueQuery {
  kind?: Kind;
  state?: State;
  version?: string;
  /** Only issues that were seen within this number of days. */
  days?: number;
}

/** Pages of issues, each with daily counts of the last four weeks. */
export async function listIssues(
  { db, app, clock }: AppCtx,
  { days, ...filter }: IssueQuery,
  input: ListInput<IssueSort>,
): Promise<Page<Issue & { trend: number[] }>> {
  const range = trendRange(clock.now());
  const since = days === undefined ? {} : { since: clock.now() - days * DAY };
  const page = await readList(
    input,
    sorts,
    (listing) => pageIssues(db, app.id, { ...filter, ...since }, listing),
    (row) => row,
  );
  const ids = page.values.map(({ id }) => id);
  const seen = await countIssuesByDay({ db, app }, range, ids);
  return {
    ...page,
    values: page.values.map((issue) => ({
      ...issue,
      trend: byDay(range, (day) => seen.get(`${issue.id} ${day}`) ?? 0).map(({ value }) => value),
    })),
  };
}

/** Daily counts for sparklines. Queries group by group, because an app may have many other reports on these days. */
async function countIssuesByDay(
  { db, app }: Pick<AppCtx, 'db' | 'app'>,
  range: DayRange,
  issueIds: readonly string[],
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const groups = issueIds.length > 0 ? await listGroupsByIssues(db, app.id, issueIds) : [];
  const issueIdByGroup = new Map(groups.map(({ id, issue_id }) => [id, issue_id]));
  await inChunks([...issueIdByGroup.keys()], async (some) => {
    for (const { group_id, day, count } of await countGroupsByDay(db, app.id, range, some)) {
      const key = `${issueIdByGroup.get(group_id)} ${day}`;
      seen.set(key, (seen.get(key) ?? 0) + Number(count));
    }
  });
  return seen;
}

export async function getIssue({ db, app }: Pick<AppCtx, 'db' | 'app'>, id: string): Promise<Issue> {
  const issue = await findIssueShown.first(db, { appId: app.id, id });
  if (!issue) throw notFound('issue', id);
  return issue;
}

const TOP_VALUES = 10;

/** An issue with its statistics. */
export async function describeIssue(ctx: AppCtx, id: string, range: DayRange) {
  const issue = await getIssue(ctx, id);
  const groups = await getIssueGroups(ctx, id);
  const groupIds = groups.map((group) => group.id);
  const [{ days }, models, systems, countries, languages] = await Promise.all([
    countReportsByDay(ctx, range, { groupIds }),
    countBy(ctx, groupIds, 'model', TOP_VALUES),
    countBy(ctx, groupIds, 'os', TOP_VALUES),
    countBy(ctx, groupIds, 'country', TOP_VALUES),
    countBy(ctx, groupIds, 'language', TOP_VALUES),
  ]);
  return { issue, groups, days, models, systems, countries, languages };
}

/** Groups of an issue, newest version first. */
export const getIssueGroups = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>, issueId: string): Promise<Group[]> =>
  (await listIssueGroups.all(db, { appId: app.id, issueId })).sort(
    (a, b) => compareVersions(b.version, a.version) || compareVersions(b.build, a.build) || a.number - b.number,
  );

/** Changes the state of an issue in all its versions, or its note. */
export const changeIssue = (
  ctx: AppCtx,
  id: string,
  { state, annotation }: { state?: State | undefined; annotation?: string | undefined },
): Promise<Issue> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    const before = await getIssue(ctx, id);
    if (state !== undefined) {
      await setIssueState(ctx, before, state, await getIssueGroups(ctx, id));
      await updateIssueGroups.run(db, { appId: app.id, issueId: id, state });
      await publish(ctx, issueChanged, { appId: app.id, groupId: before.group_id });
    }
    if (annotation !== undefined) await updateIssueNote.run(db, { appId: app.id, id, annotation });
    const after = await getIssue(ctx, id);
    await record(ctx, 'crash_issue.update', appSubject(app), {
      before: { issue: id, state: before.state, annotation: before.annotation },
      after: { issue: id, state: after.state, annotation: after.annotation },
    });
    return after;
  });

/** Recomputes the counts of an issue after its groups changed. */
export async function recountIssue({ db }: Pick<Ctx, 'db'>, appId: string, id: string): Promise<void> {
  const groups = await listIssueGroups.all(db, { appId, issueId: id });
  const [first] = groups;
  await deleteIssueDevices.run(db, { appId, id });
  if (!first) {
    await deleteIssueKeys.run(db, { appId, id });
    await deleteIssue.run(db, { appId, id });
    return;
  }
  await fillIssueDevices.run(db, { appId, id });
  const devices = await countIssueDevices.first(db, { appId, id });
  const versions = groups.map(({ version }) => version).sort(compareVersions);
  const known = groups.reduce((a, b) => (b.last_at > a.last_at ? b : a), first);
  await updateIssueCounts.run(db, {
    appId,
    id,
    groupId: known.id,
    count: groups.reduce((sum, { count }) => sum + count, 0),
    devices: Number(devices?.devices ?? 0),
    firstAt: Math.min(...groups.map(({ first_at }) => first_at)),
    lastAt: known.last_at,
    firstVersion: versions[0] ?? '',
    lastVersion: versions.at(-1) ?? '',
  });
}

/** Merges issues into the first one, including their future reports. */
export const mergeIssues = (ctx: AppCtx, id: string, others: readonly string[]): Promise<Issue> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    const target = await getIssue(ctx, id);
    for (const other of new Set(others)) {
      if (other === id) throw badRequest("An issue can't be merged with itself. Select other issues.");
      const issue = await getIssue(ctx, other);
      if (issue.kind !== target.kind) {
        throw badRequest("Can't merge crashes with handled errors. Select issues of one kind.");
      }
      for (const { key } of await listIssueKeys.all(db, { appId: app.id, issueId: other })) {
        await moveGroups.run(db, { appId: app.id, key, issueId: id });
        await moveKey.run(db, { appId: app.id, key, issueId: id });
      }
      await recountIssue(ctx, app.id, other);
      await record(ctx, 'crash_issue.merge', appSubject(app), { before: { issue: other }, after: { issue: id } });
    }
    await updateIssueGroups.run(db, { appId: app.id, issueId: id, state: target.state });
    await recountIssue(ctx, app.id, id);
    if (target.state === 'closed') await setIssueState(ctx, target, 'closed', await getIssueGroups(ctx, id));
    return getIssue(ctx, id);
  });

/** The grouping keys that an issue was merged from, with their groups. */
export async function listIssueParts(ctx: Pick<AppCtx, 'db' | 'app'>, id: string) {
  const byKey = Map.groupBy(await getIssueGroups(ctx, id), ({ key }) => key);
  return [...byKey].map(([key, groups]) => ({
    key,
    groups,
    count: groups.reduce((sum, { count }) => sum + count, 0),
  }));
}

/** Splits parts off an issue. Each becomes an issue with the same state and note. */
export const splitIssue = (ctx: AppCtx, id: string, keys: readonly string[]): Promise<Issue[]> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    const issue = await findIssue.first(db, { appId: app.id, id });
    if (!issue) throw notFound('issue', id);
    const requestedKeys = new Set(keys);
    const parts = await listIssueParts(ctx, id);
    const taken = parts.filter(({ key }) => requestedKeys.has(key));
    if (taken.length < requestedKeys.size) throw notFound('part of this issue', [...requestedKeys].join(', '));
    if (taken.length === parts.length) {
      throw badRequest(
        "Can't split off every part: at least one must stay. To separate the reports of a single part, add a grouping rule.",
      );
    }
    const made: string[] = [];
    for (const { key, groups } of taken) {
      const numbers = await takeNumbers.first(db, { appId: app.id, count: 1 });
      const fresh: CrashIssuesTable = {
        ...issue,
        id: ctx.newId(),
        number: numbers?.last_number ?? 0,
        group_id: groups[0]?.id ?? '',
        closed_version: issue.state === 'closed' ? getNewestVersion(groups.map(({ version }) => version)) : null,
      };
      await insertIssue.run(db, fresh);
      await moveGroups.run(db, { appId: app.id, key, issueId: fresh.id });
      await moveKey.run(db, { appId: app.id, key, issueId: fresh.id });
      await recountIssue(ctx, app.id, fresh.id);
      made.push(fresh.id);
      await record(ctx, 'crash_issue.split', appSubject(app), { before: { issue: id }, after: { issue: fresh.id } });
    }
    await recountIssue(ctx, app.id, id);
    return Promise.all(made.map((each) => getIssue(ctx, each)));
  });
