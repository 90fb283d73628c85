import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasNul, isTooDeep } from './json.ts';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s may be 64 levels deep and no more', (_, ...brackets) => {
  expect(isTooDeep(nested(64, ...brackets))).toBe(false);
  for (const depth of [65, 60_000, 500_000]) {
    expect(isTooDeep(nested(depth, ...brackets))).toBe(true);
  }
});

test('brackets within strings do not count, whatever is escaped there', () => {
  const text = JSON.stringify({ a: '['.repeat(200), b: `\\"${'{'.repeat(200)}`, c: ['\\', '"', '{'] });
  expect(isTooDeep(text)).toBe(false);
  // The string ends at its quote, although a backslash stands before it.
  expect(isTooDeep(`["\\\\",${nested(64)}]`)).toBe(true);
});

test('brackets beside each other do not count as depth', () => {
  expect(isTooDeep(`[${'[{}],'.repeat(1000)}0]`)).toBe(false);
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('any JSON is too deep exactly when it has more levels', () => {
  const padded = fc.tuple(fc.json({ maxDepth: 6 }), fc.integer({ min: 55, max: 65 }));
  fc.assert(
    fc.property(padded, ([json, depth]) => {
      const text = '['.repeat(depth) + json + ']'.repeat(depth);
      expect(isTooDeep(text)).toBe(depth + depthOf(JSON.parse(json)) > 64);
    }),
  );
});

test.each(['{"a":"\\u0000"}', '{"\\u0000":1}', '[[{"a":["x\\u0000"]}]]'])(
  '%s has a NUL in it and is refused',
  (text) => {
    expect(hasNul(text, JSON.parse(text))).toBe(true);
  },
);

test.each(['{"a":"\\\\u0000"}', '{"a":"b"}'])('%s has no NUL in it', (text) => {
  expect(hasNul(text, JSON.parse(text))).toBe(false);
});
