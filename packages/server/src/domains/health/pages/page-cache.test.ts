import { expect, test } from 'vitest';
import { createPageCache } from './page-cache.ts';

function cache() {
  const state = { version: 1, made: 0 };
  const pages = createPageCache(async () => state.version);
  const request = async (key: string, text = key, owner = 'ada') =>
    (
      await pages(key, owner, async () => {
        state.made += 1;
        return text;
      })
    ).toString();
  return { state, pages, request };
}

test('renders a page once until an event changes', async () => {
  const { state, request } = cache();
  expect([await request('a'), await request('b'), await request('a')]).toEqual(['a', 'b', 'a']);
  expect(state.made).toBe(2);
  state.version = 2;
  expect(await request('a', 'new')).toBe('new');
});

test('does not cache a page that was rendered while an event changed', async () => {
  const { state, pages, request } = cache();
  const slow = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const before = pages('a', 'ada', () => {
    started.resolve();
    return slow.promise;
  });
  await started.promise;
  state.version = 2;
  await request('b');
  slow.resolve('old');
  expect((await before).toString()).toBe('old');
  expect(await request('a', 'new')).toBe('new');
});

test('concurrent requests share a rendering, but not requests after a change', async () => {
  const { state, pages, request } = cache();
  const slow = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const make = () => {
    started.resolve();
    return slow.promise;
  };
  const first = pages('a', 'ada', make);
  await started.promise;
  const second = request('a', 'made again');
  state.version = 2;
  expect(await request('a', 'after the change')).toBe('after the change');
  slow.resolve('one');
  expect([(await first).toString(), await second]).toEqual(['one', 'one']);
  expect(await request('a', 'made again')).toBe('after the change');
});

test('refuses one more page than an owner can queue, and no other owner', async () => {
  const { pages, request } = cache();
  const slow = Promise.withResolvers<string>();
  const waiting = Array.from({ length: 204 }, (_, n) => pages(`page ${n}`, 'ada', () => slow.promise));
  await expect(request('one more')).rejects.toMatchObject({
    code: 'ServiceUnavailable',
    headers: { 'retry-after': '1' },
  });
  const other = request('page 203', 'made', 'grace');
  slow.resolve('made');
  expect(new Set((await Promise.all(waiting)).map(String))).toEqual(new Set(['made']));
  expect([await other, await request('one more')]).toEqual(['made', 'one more']);
});

test('does not cache a refusal', async () => {
  const { pages, request } = cache();
  await expect(pages('a', 'ada', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await request('a')).toBe('a');
});

test('limits memory: evicts the oldest pages, and does not cache a page that is too large', async () => {
  const { state, request } = cache();
  const large = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 20; n++) await request(`page ${n}`, large);
  await request('page 19', large);
  expect(state.made).toBe(20);
  await request('page 0', large);
  expect(state.made).toBe(21);
  const huge = 'x'.repeat(5 * 1024 * 1024);
  await request('huge', huge);
  await request('huge', huge);
  expect(state.made).toBe(23);
});
