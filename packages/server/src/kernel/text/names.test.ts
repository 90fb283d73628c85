import { expect, test } from 'vitest';
import { Failure } from '../errors.ts';
import { namedSome, nameFrom, refuseDots } from './names.ts';

test.each([
  ['Compass', 'Compass'],
  ['Zürich Harbour & Co.', 'Zurich-Harbour-Co'],
  ['--.a_b.c.--', 'a_b.c'],
  ['羅針盤', 'unnamed'],
  ['', 'unnamed'],
  ['x'.repeat(91), 'x'.repeat(90)],
])('%j becomes the name %s', (text, name) => {
  expect(nameFrom(text)[0]).toBe(name);
});

test('tries numbers for a name that is taken, up to fifty', () => {
  const names = nameFrom('Ada');
  expect([names.length, names[1], names.at(-1)]).toEqual([51, 'Ada-1', 'Ada-50']);
});

test.each(['.', '..'])("refuses %s, which URLs can't contain", (name) => {
  expect(() => refuseDots(name)).toThrow(Failure);
});

test.each([undefined, '', '...', 'a.', '.a', 'a..b'])('accepts %j', (name) => {
  expect(refuseDots(name)).toBeUndefined();
});

test('lists the first five of many names, with an ellipsis', async () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name }));
  const of = (count: number) => namedSome(async (limit) => all.slice(0, Math.min(count, limit)));
  expect(await of(0)).toBeUndefined();
  expect([await of(1), await of(5), await of(6), await of(7)]).toEqual([
    'a',
    'a, b, c, d, e',
    'a, b, c, d, e, …',
    'a, b, c, d, e, …',
  ]);
});
