import { expect, test } from 'vitest';
import { readForm } from './forms.ts';

test('a form is read field by field, with its escapes', () => {
  expect(readForm('a=1&b=x%20y+z&c=')).toEqual({ a: '1', b: 'x y z', c: '' });
  expect(readForm('')).toEqual({});
});

test('a field that is given twice is named in the refusal', () => {
  expect(() => readForm('a=1&b=2&a=3')).toThrow('a is given more than once.');
});

test('a NUL is refused in a name and in a value', () => {
  expect(() => readForm('a%00=1')).toThrow('NUL');
  expect(() => readForm('a=%00')).toThrow('NUL');
});

test('a name that objects have anyway is a name like any other', () => {
  const form = readForm('__proto__=x&constructor=y');
  expect(Object.entries(form)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('twenty fields are read, and more are refused before any is looked at', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join('&');
  expect(Object.keys(readForm(fields(20)))).toHaveLength(20);
  for (const count of [21, 60_000]) expect(() => readForm(fields(count))).toThrow('more than 20 fields');
  expect(() => readForm('&'.repeat(500_000))).toThrow('more than 20 fields');
});
