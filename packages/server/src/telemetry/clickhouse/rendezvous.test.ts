import { expect, test } from 'vitest';
import { ranked } from './rendezvous.ts';

const places = ['a', 'b', 'c'].map((name) => ({ name }));
const keys = Array.from({ length: 3000 }, (_, at) => `app ${at}`);
const first = (some: readonly { name: string }[], key: string) => ranked(some, key)[0]?.name;

test('distributes keys evenly regardless of the server order', () => {
  const shares = Map.groupBy(keys, (key) => first(places, key));
  for (const { name } of places) expect(shares.get(name)?.length).toBeGreaterThan(850);
  for (const key of keys) expect(first(places.toReversed(), key)).toBe(first(places, key));
});

test('a new server receives its share of keys, and no others move', () => {
  const more = [...places, { name: 'd' }];
  const moved = keys.filter((key) => first(more, key) !== first(places, key));
  expect(moved.length).toBeGreaterThan(550);
  expect(moved.length).toBeLessThan(950);
  expect(new Set(moved.map((key) => first(more, key)))).toEqual(new Set(['d']));
});
