import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableJson } from './readable-json.ts';

test('parsing returns the written value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(readableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a value that fits on a line is on one; others have a line for each part', () => {
  expect(readableJson({ a: [1, 'b: {c},'], d: {} })).toBe('{ "a": [1, "b: {c},"], "d": {} }');
  const long = 'x'.repeat(80);
  expect(readableJson({ a: long, b: { c: 1, d: [long, 2] } })).toBe(
    `{\n  "a": "${long}",\n  "b": { "c": 1, "d": ["${long}", 2] }\n}`,
  );
});

test('undefined fields are omitted', () => {
  expect(readableJson({ a: undefined, b: 'x'.repeat(200) })).toBe(`{\n  "b": "${'x'.repeat(200)}"\n}`);
});
