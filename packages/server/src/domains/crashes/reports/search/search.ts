import type { AppCtx } from '../../../../context.ts';
import { inChunks } from '../../../../db/rows/chunks.ts';
import { parseSearchTerms } from '../../../../kernel/text/search-key.ts';
import type { Group } from '../../issues/groups.ts';
import { findGroups } from '../../issues/issues.store.ts';
import type { Report } from '../reports.ts';
import {
  countMatching,
  countWithProperty,
  findByIds,
  findGroupsThat,
  MAX_GROUPS,
  matchesTerms,
  type Search,
  type SearchSort,
  searchReports,
} from './search.store.ts';
import { amongReports, type Condition, inGroups, nothing, readSearchFilter } from './search-filter.store.ts';

export interface Sought {
  q?: string | undefined;
  filter?: string | undefined;
}

/** From this number of reports on, they are read by time until enough match; below, group by group. */
const MANY = 20_000;

interface Found {
  condition: Condition;
  /** Few reports match, and an index finds them. */
  isFew: boolean;
}

/** Condition for reports of groups that match; false if there are none. */
async function inGroupsThat({ db, app }: AppCtx, condition: Condition): Promise<Found & { isCut: boolean }> {
  const groups = await findGroupsThat(db, app.id, condition);
  const isCut = groups.length === MAX_GROUPS;
  if (groups.length === 0) return { condition: nothing, isFew: false, isCut };
  const isMany = groups.reduce((sum, { count }) => sum + count, 0) > MANY;
  const ids = groups.map(({ id }) => id);
  return { condition: inGroups(ids, { isMany }), isFew: !isMany, isCut };
}

/** Text without spaces may be an ID; other text is searched in the properties of groups. */
async function searchByText(ctx: AppCtx, q: string): Promise<Found> {
  const ids = /\s/.test(q.trim()) ? [] : await findByIds(ctx.db, ctx.app.id, q.trim());
  if (ids.length > 0) return { condition: amongReports(ids.map(({ id }) => id)), isFew: true };
  return inGroupsThat(ctx, matchesTerms(parseSearchTerms(q)));
}

/** Conditions of a filter. Where few reports match, the condition finds them by an index. */
async function searchByFilter(ctx: AppCtx, filter: string): Promise<Found[]> {
  const { db, app } = ctx;
  const { condition, groups, properties, hasIncident } = readSearchFilter(app.id, filter);
  const found = groups && (await inGroupsThat(ctx, groups.condition));
  // A truncated list of groups would miss reports.
  const conditions: Found[] =
    found && !found.isCut
      ? [found, { condition: groups.rest, isFew: hasIncident }]
      : [{ condition, isFew: hasIncident }];
  if (conditions.some(({ isFew }) => isFew)) return conditions;
  for (const property of properties) {
    const isFew = (await countWithProperty(db, app.id, property, MANY + 1)) <= MANY;
    if (isFew) return conditions.map((one) => ({ ...one, isFew }));
  }
  return conditions;
}

async function buildSearch(ctx: AppCtx, { q, filter }: Sought): Promise<Pick<Search, 'where' | 'isFew'>> {
  const found = [
    ...(filter?.trim() ? await searchByFilter(ctx, filter) : []),
    ...(q?.trim() ? [await searchByText(ctx, q)] : []),
  ];
  return { where: found.map(({ condition }) => condition), isFew: found.some(({ isFew }) => isFew) };
}

/** A report with properties of its group, if it has one. */
export interface FoundReport extends Report {
  issue_id: string | null;
  exception_type: string | null;
  message: string | null;
}

/** Reports by text, ID or filter. */
export async function findReports(
  ctx: AppCtx,
  sought: Sought,
  page: { sort: SearchSort; order: 'asc' | 'desc'; limit: number; skip: number },
): Promise<{ reports: FoundReport[]; isMore: boolean }> {
  const search = await buildSearch(ctx, sought);
  const rows = await searchReports(ctx.db, ctx.app.id, { ...search, ...page, limit: page.limit + 1 });
  return { reports: rows.slice(0, page.limit), isMore: rows.length > page.limit };
}

/** Like `findReports`, but returns groups with their number of matching reports. */
export async function findMatchingGroups(ctx: AppCtx, sought: Sought): Promise<Group[]> {
  const matching = await countMatching(ctx.db, ctx.app.id, await buildSearch(ctx, sought));
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
