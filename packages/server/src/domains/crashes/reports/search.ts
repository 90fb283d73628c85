import type { AppCtx } from '../../../context.ts';
import { inChunks } from '../../../db/chunks.ts';
import { searchWords } from '../../../kernel/search-key.ts';
import type { Group } from '../issues/groups.ts';
import { findGroups } from '../issues/issues.store.ts';
import type { Report } from './reports.ts';
import {
  countMatching,
  countWithProperty,
  findByIds,
  findGroupsThat,
  MOST_GROUPS,
  type Search,
  type SearchSort,
  searchReports,
  withWords,
} from './search.store.ts';
import { amongReports, type Condition, inGroups, nothing, readSearchFilter } from './search-filter.store.ts';

export interface Sought {
  q?: string | undefined;
  filter?: string | undefined;
}

/** From so many on, reports are read by time until enough match; below, group by group. */
const MANY = 20_000;

interface Found {
  condition: Condition;
  /** Whether few reports meet it, and an index finds them. */
  isFew: boolean;
}

/** Reports of groups that meet a condition; without one of them, nothing is found. */
async function inGroupsThat({ db, app }: AppCtx, condition: Condition): Promise<Found & { isCut: boolean }> {
  const groups = await findGroupsThat(db, app.id, condition);
  const isCut = groups.length === MOST_GROUPS;
  if (groups.length === 0) return { condition: nothing, isFew: false, isCut };
  const isMany = groups.reduce((sum, { count }) => sum + count, 0) > MANY;
  const ids = groups.map(({ id }) => id);
  return { condition: inGroups(ids, { isMany }), isFew: !isMany, isCut };
}

/** Something without spaces may be an id; otherwise words are looked for in what groups are known by. */
async function wordsOf(ctx: AppCtx, q: string): Promise<Found> {
  const ids = /\s/.test(q.trim()) ? [] : await findByIds(ctx.db, ctx.app.id, q.trim());
  if (ids.length > 0) return { condition: amongReports(ids.map(({ id }) => id)), isFew: true };
  return inGroupsThat(ctx, withWords(searchWords(q)));
}

/** All that a filter says; where it leaves few reports, in a way that finds them without looking at all. */
async function filterOf(ctx: AppCtx, filter: string): Promise<Found[]> {
  const { db, app } = ctx;
  const { condition, groups, properties, hasIncident } = readSearchFilter(app.id, filter);
  const found = groups && (await inGroupsThat(ctx, groups.condition));
  // Some of very many groups would not be all.
  const said: Found[] =
    found && !found.isCut
      ? [found, { condition: groups.rest, isFew: hasIncident }]
      : [{ condition, isFew: hasIncident }];
  if (said.some(({ isFew }) => isFew)) return said;
  for (const property of properties) {
    const isFew = (await countWithProperty(db, app.id, property, MANY + 1)) <= MANY;
    if (isFew) return said.map((one) => ({ ...one, isFew }));
  }
  return said;
}

async function searchOf(ctx: AppCtx, { q, filter }: Sought): Promise<Pick<Search, 'where' | 'isFew'>> {
  const found = [...(filter?.trim() ? await filterOf(ctx, filter) : []), ...(q?.trim() ? [await wordsOf(ctx, q)] : [])];
  return { where: found.map(({ condition }) => condition), isFew: found.some(({ isFew }) => isFew) };
}

/** A report with what is told of its group, if it is in one. */
export interface FoundReport extends Report {
  issue_id: string | null;
  exception_type: string | null;
  message: string | null;
}

/** Reports by text, id or filter. */
export async function findReports(
  ctx: AppCtx,
  sought: Sought,
  page: { sort: SearchSort; order: 'asc' | 'desc'; limit: number; skip: number },
): Promise<{ reports: FoundReport[]; isMore: boolean }> {
  const search = await searchOf(ctx, sought);
  const rows = await searchReports(ctx.db, ctx.app.id, { ...search, ...page, limit: page.limit + 1 });
  return { reports: rows.slice(0, page.limit), isMore: rows.length > page.limit };
}

/** The same for groups, each with how many of its reports match. */
export async function findMatchingGroups(ctx: AppCtx, sought: Sought): Promise<Group[]> {
  const matching = await countMatching(ctx.db, ctx.app.id, await searchOf(ctx, sought));
  const counts = new Map(matching.map(({ group_id, matching }) => [group_id, Number(matching)]));
  const groups: Group[] = [];
  await inChunks(
    [...counts.keys()].filter((id) => id !== null),
    async (ids) => {
      groups.push(...(await findGroups(ctx.db, ctx.app.id, ids)));
    },
  );
  return groups.map((group) => ({ ...group, count: counts.get(group.id) ?? 0 }));
}
