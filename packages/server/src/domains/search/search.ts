import { DEFAULT_FOUND } from '@mooring/contract';
import type { Found, UserCtx } from '../../context.ts';
import { searchWords } from '../../kernel/search-key.ts';

/** What the caller can see and that has all these words in its names, of each kind at most so many. */
export async function searchEverything(
  ctx: UserCtx,
  { text, limit = DEFAULT_FOUND }: { text: string; limit?: number | undefined },
): Promise<Found[]> {
  const words = searchWords(text);
  if (words.length === 0) return [];
  return (await Promise.all(ctx.finders.map(({ find }) => find(ctx, words, limit)))).flat();
}
