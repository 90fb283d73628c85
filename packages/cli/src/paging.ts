import { MAX_PAGE } from '@mooring/contract';
import { wrongUsage } from './framework/errors.ts';
import type { Column, Output } from './output.ts';

const USUAL = 100;

export const limitOption = { value: 'N', summary: `Show at most N, or "all" (default ${USUAL})` } as const;

export interface Page<T> {
  values: T[];
  next_cursor?: string;
}

function readLimit(text = String(USUAL)): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw wrongUsage(`--limit must be a number from 1, or "all", not "${text}".`);
}

/** Follows the cursors until there is enough; what it returns is again a page. */
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

/** A page of the health API: the server says how long it is, and where the next one begins. */
export interface LinkedPage<T> {
  value: T[];
  nextLink?: string;
}

export interface Gathered<T> extends LinkedPage<T> {
  hasMore: boolean;
}

/** Follows the links until there is enough. What is over is cut off, and then no link leads on from there. */
export async function gatherLinks<T>(
  limit: string | undefined,
  getPage: (token: { $skipToken?: string }) => Promise<LinkedPage<T>>,
): Promise<Gathered<T>> {
  const most = readLimit(limit);
  const value: T[] = [];
  let link: string | undefined;
  do {
    const $skipToken = (link && new URL(link).searchParams.get('$skipToken')) || undefined;
    const page = await getPage($skipToken ? { $skipToken } : {});
    value.push(...page.value);
    link = page.nextLink;
  } while (link && value.length < most);
  if (value.length > most) return { value: value.slice(0, most), hasMore: true };
  return { value, ...(link ? { nextLink: link } : {}), hasMore: link !== undefined };
}

export function printLinked<T>(out: Output, { hasMore, ...page }: Gathered<T>, columns: readonly Column<T>[]): void {
  out.table(page, page.value, columns);
  if (hasMore) out.note('There are more; see them with --limit.');
}

export function printPage<T>(out: Output, page: Page<T>, columns: readonly Column<T>[]): void {
  out.table(page, page.values, columns);
  if (page.next_cursor) out.note('There are more; see them with --limit.');
}
