import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableJson } from './readable-json.ts';

test('whatever is written is read as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(readableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('what fits a line is on one, and what does not has a line for each part', () => {
  expect(readableJson({ a: [1, 'b: {c},'], d: {} })).toBe('{ "a": [1, "b: {c},"], "d": {} }');
  const long = 'x'.repeat(80);
  expect(readableJson({ a: long, b: { c: 1, d: [long, 2] } })).toBe(
    `{\n  "a": "${long}",\n  "b": { "c": 1, "d": ["${long}", 2] }\n}`,
  );
});

test('what is not set is left out', () => {
  expect(readableJson({ a: undefined, b: 'x'.repeat(200) })).toBe(`{\n  "b": "${'x'.repeat(200)}"\n}`);
});
