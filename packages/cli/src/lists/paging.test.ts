import { expect, it } from 'vitest';
import { gatherLinks, gatherPages } from './paging.ts';

const all = Array.from({ length: 450 }, (_, index) => index);

function serve() {
  const limits: number[] = [];
  const getPage = async ({ limit, cursor = '0' }: { limit: number; cursor?: string }) => {
    limits.push(limit);
    const end = Number(cursor) + limit;
    return { values: all.slice(Number(cursor), end), next_cursor: end < all.length ? String(end) : undefined };
  };
  return { limits, getPage };
}

it.each([
  [undefined, 100, [100], '100'],
  ['3', 3, [3], '3'],
  ['250', 250, [200, 50], '250'],
  ['450', 450, [200, 200, 50], undefined],
  ['1000', 450, [200, 200, 200], undefined],
  ['all', 450, [200, 200, 200], undefined],
])('with --limit %s returns %i', async (limit, count, pages, next) => {
  const { limits, getPage } = serve();
  const { values, next_cursor } = await gatherPages(limit, getPage);
  expect(values).toEqual(all.slice(0, count));
  expect(limits).toEqual(pages);
  expect(next_cursor).toBe(next);
});

it.each(['0', '-1', '1.5', 'many', ''])('refuses --limit "%s"', async (limit) => {
  await expect(gatherPages(limit, serve().getPage)).rejects.toThrow(/--limit must be/);
});

/** Pages of two rows. The second page is empty, but not the last. */
const linked: Record<string, { value: number[]; nextLink?: string }> = {
  first: { value: [1, 2], nextLink: 'https://x/events?%24skipToken=second' },
  second: { value: [], nextLink: 'https://x/events?%24skipToken=third' },
  third: { value: [3, 4] },
};

it.each([
  ['all', { value: [1, 2, 3, 4], hasMore: false }],
  ['3', { value: [1, 2, 3], hasMore: true }],
  ['2', { value: [1, 2], nextLink: linked.first?.nextLink, hasMore: true }],
  ['1', { value: [1], hasMore: true }],
])('follows links with --limit %s', async (limit, gathered) => {
  const getPage = async ({ $skipToken = 'first' }: { $skipToken?: string }) => linked[$skipToken] ?? { value: [] };
  expect(await gatherLinks(limit, getPage)).toEqual(gathered);
});
