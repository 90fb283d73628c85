import { expect, test } from 'vitest';
import { findBoundary, readParts } from './read-parts.ts';

const files = { field: 'pictures', types: ['image/png'], maxFiles: 2, maxBytes: 10 };
const part = (disposition: string, content: string, more = ''): string =>
  `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${content}\r\n`;
const field = (name: string, content: string) => part(`form-data; name="${name}"`, content);
const file = (content: string, name = 'pictures') =>
  part(`form-data; name="${name}"; filename="a.png"`, content, 'Content-Type: image/PNG; x=y\r\n');
const read = (text: string) => readParts(Buffer.from(`${text}--b--\r\n`, 'latin1'), 'b', files);

test('reads fields and files in any order', () => {
  const { fields, files: sent } = read(field('text', 'a\r\nb') + file('1\r\n--2') + field('name', ''));
  expect(fields).toEqual({ text: 'a\r\nb', name: '' });
  expect(sent.map(({ type, bytes }) => [type, bytes.toString()])).toEqual([['image/png', '1\r\n--2']]);
});

test('skips the empty file that browsers send if none is selected', () => {
  expect(read(field('text', 'x') + file('')).files).toEqual([]);
});

test('reads a form without parts', () => {
  expect(read('')).toEqual({ fields: {}, files: [] });
});

test('accepts a field with the name of an object property', () => {
  expect(Object.entries(read(field('__proto__', 'x')).fields)).toEqual([['__proto__', 'x']]);
});

test.each([
  ['a field twice', field('a', '1') + field('a', '2'), 'more than once'],
  ['too many fields', Array.from({ length: 31 }, (_, n) => field(`f${n}`, '')).join(''), 'more than 30 fields'],
  ['a field that is too long', field('a', 'x'.repeat(65_537)), 'more than 65536 bytes'],
  ['too many parts', file('').repeat(101), 'more than 100 parts'],
  ['too many files', file('1') + file('2') + file('3'), 'more than 2 files'],
  ['a file that is too large', file('12345678901'), 'limit of 10 bytes'],
  ['a file in another field', file('1', 'other'), 'field "pictures"'],
  ['a part without a name', part('form-data', 'x'), 'a part has no name'],
  ['a part of another kind', part('attachment; name="a"', 'x'), 'a part has no name'],
  ['text that is not UTF-8', field('a', '\xff\xfe'), 'not UTF-8'],
  ['a NUL character', field('a', '\0'), 'NUL'],
  ['headers without an end', '--b\r\nContent-Disposition: form-data; name="a"', 'headers of a part'],
  ['long headers', part(`form-data; name="a"; x="${'y'.repeat(5000)}"`, ''), 'headers of a part'],
  ['text before the first part', `x\r\n${field('a', '')}`, 'begin with its boundary'],
])('refuses %s', (_what, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('refuses a form that breaks off', () => {
  expect(() => readParts(Buffer.from(field('a', 'x')), 'b', files)).toThrow();
  expect(() => readParts(Buffer.from('--b\r\n'), 'b', files)).toThrow('headers of a part');
  expect(() => readParts(Buffer.alloc(0), 'b', files)).toThrow('begin with its boundary');
});

test('finds the boundary, quoted or not', () => {
  expect(findBoundary('multipart/form-data; boundary=abcdefghij')).toBe('abcdefghij');
  expect(findBoundary('multipart/form-data; charset=utf-8; boundary="a bcdefghi"')).toBe('a bcdefghi');
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=abc',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
  ]) {
    expect(() => findBoundary(type)).toThrow('no boundary');
  }
});
