import type { AppCtx } from '../../../context.ts';
import { inChunks } from '../../../db/chunks.ts';
import { searchWords } from '../../../kernel/search-key.ts';
import type { Group } from '../issues/groups.ts';
import { findGroups } from '../issues/issues.store.ts';
import type { Report } from './reports.ts';
import { countMatching, findByIds, findGroupsByWords, type SearchSort, searchReports } from './search.store.ts';
import { amongReports, type Condition, inGroups, nothing, readSearchFilter } from './search-filter.store.ts';

export interface Sought {
  q?: string | undefined;
  filter?: string | undefined;
}

/** From so many on, reports are read by time until enough match; below, group by group. */
const MANY = 20_000;

/** Something without spaces may be an id; otherwise words are looked for in what groups are known by. */
async function conditionOf({ db, app }: AppCtx, q: string): Promise<Condition> {
  const ids = /\s/.test(q.trim()) ? [] : await findByIds(db, app.id, q.trim());
  if (ids.length > 0) return amongReports(ids.map(({ id }) => id));
  const groups = await findGroupsByWords(db, app.id, searchWords(q));
  if (groups.length === 0) return nothing;
  const isMany = groups.reduce((sum, { count }) => sum + count, 0) > MANY;
  return inGroups(
    groups.map(({ id }) => id),
    { isMany },
  );
}

async function conditionsOf(ctx: AppCtx, { q, filter }: Sought): Promise<Condition[]> {
  return [
    ...(filter?.trim() ? [readSearchFilter(ctx.app.id, filter)] : []),
    ...(q?.trim() ? [await conditionOf(ctx, q)] : []),
  ];
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
  const where = await conditionsOf(ctx, sought);
  const rows = await searchReports(ctx.db, ctx.app.id, { where, ...page, limit: page.limit + 1 });
  return { reports: rows.slice(0, page.limit), isMore: rows.length > page.limit };
}

/** The same for groups, each with how many of its reports match. */
export async function findMatchingGroups(ctx: AppCtx, sought: Sought): Promise<Group[]> {
  const matching = await countMatching(ctx.db, ctx.app.id, await conditionsOf(ctx, sought));
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
