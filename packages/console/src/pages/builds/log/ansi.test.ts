import { expect, test } from 'vitest';
import { plainText, toSpans } from './ansi.ts';

test('splits a line at color changes and resets', () => {
  expect(toSpans('a\x1b[31;1mred\x1b[39m bold\x1b[0m end')).toEqual([
    { text: 'a' },
    { text: 'red', color: 1, isBold: true },
    { text: ' bold', isBold: true },
    { text: ' end' },
  ]);
  expect(toSpans('\x1b[92mok\x1b[m!')).toEqual([{ text: 'ok', color: 10 }, { text: '!' }]);
});

test.each([
  ['38;5;196', 9],
  ['38;5;2', 2],
  ['38;2;20;200;20', 10],
  ['38:2:0:0:120', 4],
  ['48;5;196;32', 2],
])('maps %s to one of 16 colors', (code, color) => {
  expect(toSpans(`\x1b[${code}mx`)).toEqual([{ text: 'x', color }]);
});

test('drops cursor moves, titles and unprintable characters', () => {
  expect(plainText('\x1b[2K\x1b]0;title\x07a\x1b[1Gb\x00c\x1b]8;;https://x\x1b\\link')).toBe('abclink');
});

test('shows the final state of an overwritten line', () => {
  expect(plainText('10 %\r50 %\r100 %\r')).toBe('100 %');
});

test('parses long lines in linear time', () => {
  const hostile = '\x1b[1;'.repeat(50_000) + '\x1b]'.repeat(50_000);
  expect(plainText(hostile).length).toBeLessThan(hostile.length);
});

test('drops bidirectional overrides and 8-bit sequences', () => {
  expect(plainText('ok \u202e gnp.exe\u2066\x9b31mred\x9d0;title\x9c')).toBe('ok  gnp.exe31mred0;title');
  expect(toSpans('\u202edrow')).toEqual([{ text: 'drow' }]);
});
