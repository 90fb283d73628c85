import { MAX_PAGE } from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';
import type { Column, Output } from '../terminal/output.ts';

const DEFAULT_LIMIT = 100;

export const limitOption = {
  value: 'N',
  summary: `Maximum number of rows, or "all" (default ${DEFAULT_LIMIT})`,
} as const;

export interface Page<T> {
  values: T[];
  next_cursor?: string;
}

function readLimit(text = String(DEFAULT_LIMIT)): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw wrongUsage(`--limit must be a positive number or "all", not "${text}".`);
}

/** Follows cursors until the limit is reached, and merges the pages into one. */
export async function gatherPages<T>(
  limit: string | undefined,
  getPage: (query: { limit: number; cursor?: string }) => Promise<Page<T>>,
): Promise<Page<T>> {
  let left = readLimit(limit);
  let cursor: string | undefined;
  const values: T[] = [];
  do {
    const page = await getPage({ limit: Math.min(left, MAX_PAGE), cursor });
    values.push(...page.values);
    left -= page.values.length;
    cursor = page.next_cursor;
  } while (cursor && left > 0);
  return { values, next_cursor: cursor };
}

/** A page of the health API: the server chooses its length and links to the next one. */
export interface LinkedPage<T> {
  value: T[];
  nextLink?: string;
}

export interface Gathered<T> extends LinkedPage<T> {
  hasMore: boolean;
}

/** Follows links until the limit is reached. If a page must be cut, the result has no link, as no link leads to the rest. */
export async function gatherLinks<T>(
  limit: string | undefined,
  getPage: (token: { $skipToken?: string }) => Promise<LinkedPage<T>>,
): Promise<Gathered<T>> {
  const max = readLimit(limit);
  const value: T[] = [];
  let link: string | undefined;
  do {
    const $skipToken = (link && new URL(link).searchParams.get('$skipToken')) || undefined;
    const page = await getPage($skipToken ? { $skipToken } : {});
    value.push(...page.value);
    link = page.nextLink;
  } while (link && value.length < max);
  if (value.length > max) return { value: value.slice(0, max), hasMore: true };
  return { value, ...(link ? { nextLink: link } : {}), hasMore: link !== undefined };
}

export function printLinked<T>(out: Output, { hasMore, ...page }: Gathered<T>, columns: readonly Column<T>[]): void {
  out.table(page, page.value, columns);
  if (hasMore) out.note('More rows exist. Use --limit to see them.');
}

export function printPage<T>(out: Output, page: Page<T>, columns: readonly Column<T>[]): void {
  out.table(page, page.values, columns);
  if (page.next_cursor) out.note('More rows exist. Use --limit to see them.');
}
