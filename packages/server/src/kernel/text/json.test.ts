import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeExcess, hasMoreValues, hasNul, isTooDeep, parseForeignJson } from './json.ts';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('allows %s to be 64 levels deep', (_, ...brackets) => {
  expect(isTooDeep(nested(64, ...brackets))).toBe(false);
  for (const depth of [65, 60_000, 500_000]) {
    expect(isTooDeep(nested(depth, ...brackets))).toBe(true);
  }
});

test('ignores brackets within strings, with any escapes', () => {
  const text = JSON.stringify({ a: '['.repeat(200), b: `\\"${'{'.repeat(200)}`, c: ['\\', '"', '{'] });
  expect(isTooDeep(text)).toBe(false);
  // The string ends at its quote, despite a backslash before it.
  expect(isTooDeep(`["\\\\",${nested(64)}]`)).toBe(true);
});

test('does not count adjacent brackets as depth', () => {
  expect(isTooDeep(`[${'[{}],'.repeat(1000)}0]`)).toBe(false);
});

const measureDepth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(measureDepth)) : 0;

test('refuses JSON exactly if it has too many levels', () => {
  const padded = fc.tuple(fc.json({ maxDepth: 6 }), fc.integer({ min: 55, max: 65 }));
  fc.assert(
    fc.property(padded, ([json, depth]) => {
      const text = '['.repeat(depth) + json + ']'.repeat(depth);
      expect(isTooDeep(text)).toBe(depth + measureDepth(JSON.parse(json)) > 64);
    }),
  );
});

test.each(['{"a":"\\u0000"}', '{"\\u0000":1}', '[[{"a":["x\\u0000"]}]]'])('finds a NUL in %s', (text) => {
  expect(hasNul(text, JSON.parse(text))).toBe(true);
});

test.each(['{"a":"\\\\u0000"}', '{"a":"b"}'])('finds no NUL in %s', (text) => {
  expect(hasNul(text, JSON.parse(text))).toBe(false);
});

const fieldsFrom = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":{"a":[",:{["]}`).join();

test('allows 50,000 values and 5,000 fields of an object; strings do not count', () => {
  expect(describeExcess(`{${fieldsFrom(5000)}}`)).toBeUndefined();
  expect(describeExcess(`{${fieldsFrom(5001)}}`)).toBe('has an object with more than 5000 fields');
  expect(describeExcess(`[${'0,'.repeat(49_997)}0]`)).toBeUndefined();
  expect(describeExcess(`[${'0,'.repeat(50_000)}0]`)).toBe('has more than 50000 values');
  expect(describeExcess(`[${'[],'.repeat(25_000)}0]`)).toBe('has more than 50000 values');
  expect(describeExcess(nested(65))).toBe('is nested more than 64 levels deep');
  expect(describeExcess(JSON.stringify({ text: '[{,:'.repeat(100_000) }))).toBeUndefined();
});

test('leaves unbalanced brackets to the parser', () => {
  expect(describeExcess(`${']'.repeat(1000)}:${'}'.repeat(1000)}`)).toBeUndefined();
});

test.each([
  [1, 'a'],
  [3, [0, null]],
  [4, { a: { b: [] }, c: 1 }],
])('counts %i values in %j', (count, value) => {
  expect([hasMoreValues(value, count), hasMoreValues(value, count - 1)]).toEqual([false, true]);
});

test('parses a response of another server unless it has too many values', () => {
  expect(parseForeignJson(Buffer.from('{"a":[1]}'))).toEqual({ a: [1] });
  expect(() => parseForeignJson(Buffer.from(`[${'[],'.repeat(30_000)}0]`))).toThrow(/more than 50000 values/);
  expect(() => parseForeignJson(Buffer.from('<html>'))).toThrow(SyntaxError);
});
