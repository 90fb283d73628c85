import { expect, test } from 'vitest';
import { createPageCache } from './page-cache.ts';

function cache() {
  const state = { version: 1, made: 0 };
  const pages = createPageCache(async () => state.version);
  const ask = async (key: string, text = key, owner = 'ada') =>
    (
      await pages(key, owner, async () => {
        state.made += 1;
        return text;
      })
    ).toString();
  return { state, pages, ask };
}

test('a page is made once as long as no event changes', async () => {
  const { state, ask } = cache();
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual(['a', 'b', 'a']);
  expect(state.made).toBe(2);
  state.version = 2;
  expect(await ask('a', 'new')).toBe('new');
});

test('a page that was made while an event changed is not kept', async () => {
  const { state, pages, ask } = cache();
  const slow = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const before = pages('a', 'ada', () => {
    started.resolve();
    return slow.promise;
  });
  await started.promise;
  state.version = 2;
  await ask('b');
  slow.resolve('old');
  expect((await before).toString()).toBe('old');
  expect(await ask('a', 'new')).toBe('new');
});

test('a page is made once for all who ask while it is made, but not for those who ask after a change', async () => {
  const { state, pages, ask } = cache();
  const slow = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const make = () => {
    started.resolve();
    return slow.promise;
  };
  const first = pages('a', 'ada', make);
  await started.promise;
  const second = ask('a', 'made again');
  state.version = 2;
  expect(await ask('a', 'after the change')).toBe('after the change');
  slow.resolve('one');
  expect([(await first).toString(), await second]).toEqual(['one', 'one']);
  expect(await ask('a', 'made again')).toBe('after the change');
});

test('refuses one more page than an owner can queue, and no other owner', async () => {
  const { pages, ask } = cache();
  const slow = Promise.withResolvers<string>();
  const waiting = Array.from({ length: 204 }, (_, n) => pages(`page ${n}`, 'ada', () => slow.promise));
  await expect(ask('one more')).rejects.toMatchObject({ code: 'ServiceUnavailable', headers: { 'retry-after': '1' } });
  const other = ask('page 203', 'made', 'grace');
  slow.resolve('made');
  expect(new Set((await Promise.all(waiting)).map(String))).toEqual(new Set(['made']));
  expect([await other, await ask('one more')]).toEqual(['made', 'one more']);
});

test('a refusal is not remembered', async () => {
  const { pages, ask } = cache();
  await expect(pages('a', 'ada', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await ask('a')).toBe('a');
});

test('memory is bounded: the oldest pages make room, and one that is too large is not kept', async () => {
  const { state, ask } = cache();
  const large = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 20; n++) await ask(`page ${n}`, large);
  await ask('page 19', large);
  expect(state.made).toBe(20);
  await ask('page 0', large);
  expect(state.made).toBe(21);
  const huge = 'x'.repeat(5 * 1024 * 1024);
  await ask('huge', huge);
  await ask('huge', huge);
  expect(state.made).toBe(23);
});
