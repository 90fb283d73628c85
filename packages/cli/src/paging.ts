import { MAX_PAGE } from '@mooring/contract';
import type { Column, Output } from './output.ts';
import { wrongUsage } from './runner/errors.ts';

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

export function printPage<T>(out: Output, page: Page<T>, columns: readonly Column<T>[]): void {
  out.table(page, page.values, columns);
  if (page.next_cursor) out.note('There are more; see them with --limit.');
}
