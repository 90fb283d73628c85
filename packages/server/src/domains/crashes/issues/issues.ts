import type { AppCtx, Ctx } from '../../../context.ts';
import { inChunks } from '../../../db/chunks.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { DAY } from '../../../kernel/clock.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import { type DayRange, dayOf } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { issueChanged } from '../../webhooks/index.ts';
import type { CrashIssuesTable, Kind, State } from '../crashes.tables.ts';
import { byDay } from '../range.ts';
import { countGroupsByDay } from '../statistics/statistics.store.ts';
import { countBy, countReportsByDay } from '../statistics/statistics.ts';
import { type Group, newestOf, setIssueState } from './groups.ts';
import {
  countIssueDevices,
  deleteIssue,
  deleteIssueDevices,
  deleteKeysOfIssue,
  fillIssueDevices,
  findIssueShown,
  type IssueSort,
  listGroupsOfIssues,
  listKeysOfIssue,
  moveGroups,
  moveKey,
  pageIssues,
  updateIssueCounts,
} from './issue-lists.store.ts';
import {
  findIssue,
  insertIssue,
  listGroupsOfIssue,
  takeNumbers,
  updateGroupsOfIssue,
  updateIssueNote,
} from './issues.store.ts';

export type Issue = NonNullable<Awaited<ReturnType<typeof findIssueShown.first>>>;

const TREND_DAYS = 28;

/** The days of a small curve: the last four weeks. */
export const trendRange = (now: number): DayRange => ({ from: dayOf(now) - TREND_DAYS + 1, to: dayOf(now) });

const sorts: Sorts<IssueSort> = { last_at: 'time', count: 'time', device_count: 'time' };

export interface IssueQuery {
  kind?: Kind;
  state?: State;
  version?: string;
  /** Only those that were seen on one of the last so many days. */
  days?: number;
}

/** Issues in pages, each with how often it was seen on each day of the last four weeks. */
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

/** Reports of issues by day, for small curves: group by group, for an app may have had many others on these days. */
async function countIssuesByDay(
  { db, app }: Pick<AppCtx, 'db' | 'app'>,
  range: DayRange,
  issueIds: readonly string[],
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const groups = issueIds.length > 0 ? await listGroupsOfIssues(db, app.id, issueIds) : [];
  const issueOf = new Map(groups.map(({ id, issue_id }) => [id, issue_id]));
  await inChunks([...issueOf.keys()], async (some) => {
    for (const { group_id, day, count } of await countGroupsByDay(db, app.id, range, some)) {
      const key = `${issueOf.get(group_id)} ${day}`;
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

/** An issue with all that is counted of it. */
export async function describeIssue(ctx: AppCtx, id: string, range: DayRange) {
  const issue = await getIssue(ctx, id);
  const groups = await groupsOf(ctx, id);
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

/** Its groups, the newest version first. */
export const groupsOf = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>, issueId: string): Promise<Group[]> =>
  (await listGroupsOfIssue.all(db, { appId: app.id, issueId })).sort(
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
      await setIssueState(ctx, before, state, await groupsOf(ctx, id));
      await updateGroupsOfIssue.run(db, { appId: app.id, issueId: id, state });
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

/** Counts an issue anew from its groups, after some came or went. */
export async function recountIssue({ db }: Pick<Ctx, 'db'>, appId: string, id: string): Promise<void> {
  const groups = await listGroupsOfIssue.all(db, { appId, issueId: id });
  const [first] = groups;
  await deleteIssueDevices.run(db, { appId, id });
  if (!first) {
    await deleteKeysOfIssue.run(db, { appId, id });
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

/** Makes one issue of several: what belongs to the others belongs to the first from now on, and so do reports to come. */
export const mergeIssues = (ctx: AppCtx, id: string, others: readonly string[]): Promise<Issue> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    const target = await getIssue(ctx, id);
    for (const other of new Set(others)) {
      if (other === id) throw badRequest('An issue cannot be merged with itself; name others.');
      const issue = await getIssue(ctx, other);
      if (issue.kind !== target.kind) {
        throw badRequest('Crashes and errors that were caught cannot be one issue; merge issues of one kind.');
      }
      for (const { key } of await listKeysOfIssue.all(db, { appId: app.id, issueId: other })) {
        await moveGroups.run(db, { appId: app.id, key, issueId: id });
        await moveKey.run(db, { appId: app.id, key, issueId: id });
      }
      await recountIssue(ctx, app.id, other);
      await record(ctx, 'crash_issue.merge', appSubject(app), { before: { issue: other }, after: { issue: id } });
    }
    await updateGroupsOfIssue.run(db, { appId: app.id, issueId: id, state: target.state });
    await recountIssue(ctx, app.id, id);
    if (target.state === 'closed') await setIssueState(ctx, target, 'closed', await groupsOf(ctx, id));
    return getIssue(ctx, id);
  });

/** What an issue was merged from: its keys, each with its groups. */
export async function partsOf(ctx: Pick<AppCtx, 'db' | 'app'>, id: string) {
  const byKey = Map.groupBy(await groupsOf(ctx, id), ({ key }) => key);
  return [...byKey].map(([key, groups]) => ({
    key,
    groups,
    count: groups.reduce((sum, { count }) => sum + count, 0),
  }));
}

/** Takes parts out of an issue, each to be an issue of its own, with the same state and note. */
export const splitIssue = (ctx: AppCtx, id: string, keys: readonly string[]): Promise<Issue[]> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    const issue = await findIssue.first(db, { appId: app.id, id });
    if (!issue) throw notFound('issue', id);
    const wanted = new Set(keys);
    const parts = await partsOf(ctx, id);
    const taken = parts.filter(({ key }) => wanted.has(key));
    if (taken.length < wanted.size) throw notFound('part of that issue', [...wanted].join(', '));
    if (taken.length === parts.length) {
      throw badRequest(
        'At least one part must stay; an issue of one part cannot be split, but a grouping rule can tell its reports apart.',
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
        closed_version: issue.state === 'closed' ? newestOf(groups.map(({ version }) => version)) : null,
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
