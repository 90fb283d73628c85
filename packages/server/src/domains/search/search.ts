import { DEFAULT_FOUND } from '@mooring/contract';
import type { UserCtx } from '../../context.ts';
import { finders, type SearchResult } from '../../extensions/finders.ts';
import { parseSearchTerms } from '../../kernel/text/search-key.ts';

/** Finds resources that the caller may see and whose names contain all words; limited per kind. */
export async function searchEverything(
  ctx: UserCtx,
  { text, limit = DEFAULT_FOUND }: { text: string; limit?: number | undefined },
): Promise<SearchResult[]> {
  const terms = parseSearchTerms(text);
  if (terms.length === 0) return [];
  return (await Promise.all(finders.list(ctx).map(({ find }) => find(ctx, terms, limit)))).flat();
}
