import { expect, test } from 'vitest';
import { createTextCache } from './text-cache.ts';

test('keeps texts within its size, and evicts the least recently used', () => {
  const cache = createTextCache(1000);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, key.repeat(140));
  expect(cache.get('a')).toBe('a'.repeat(140));
  cache.set('e', 'e'.repeat(140));
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true, true]);
});

test('counts keys, replaces texts, and does not cache very large ones', () => {
  const cache = createTextCache(1000);
  cache.set('k'.repeat(300), '');
  cache.set('large', 'x'.repeat(200));
  expect([cache.get('k'.repeat(300)), cache.get('large')]).toEqual([undefined, undefined]);
  for (let time = 0; time < 100; time += 1) cache.set('a', String(time));
  cache.set('b', 'b');
  expect([cache.get('a'), cache.get('b')]).toEqual(['99', 'b']);
  cache.set('a', 'x'.repeat(500));
  expect(cache.get('a')).toBeUndefined();
});
