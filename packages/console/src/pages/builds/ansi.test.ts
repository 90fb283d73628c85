import { expect, test } from 'vitest';
import { plainText, spansOf } from './ansi.ts';

test('colours become pieces, and end where they are reset', () => {
  expect(spansOf('a\x1b[31;1mred\x1b[39m bold\x1b[0m end')).toEqual([
    { text: 'a' },
    { text: 'red', color: 1, isBold: true },
    { text: ' bold', isBold: true },
    { text: ' end' },
  ]);
  expect(spansOf('\x1b[92mok\x1b[m!')).toEqual([{ text: 'ok', color: 10 }, { text: '!' }]);
});

test.each([
  ['38;5;196', 9],
  ['38;5;2', 2],
  ['38;2;20;200;20', 10],
  ['38:2:0:0:120', 4],
  ['48;5;196;32', 2],
])('%s is shown as one of sixteen colours', (code, color) => {
  expect(spansOf(`\x1b[${code}mx`)).toEqual([{ text: 'x', color }]);
});

test('what moves the cursor, sets titles or cannot be drawn is left out', () => {
  expect(plainText('\x1b[2K\x1b]0;title\x07a\x1b[1Gb\x00c\x1b]8;;https://x\x1b\\link')).toBe('abclink');
});

test('of a line that was written over itself the last is shown', () => {
  expect(plainText('10 %\r50 %\r100 %\r')).toBe('100 %');
});

test('the longest line is read in time that grows with it', () => {
  const hostile = '\x1b[1;'.repeat(50_000) + '\x1b]'.repeat(50_000);
  expect(plainText(hostile).length).toBeLessThan(hostile.length);
});

test('text that would be reversed, and sequences of eight bits, are left out', () => {
  expect(plainText('ok \u202e gnp.exe\u2066\x9b31mred\x9d0;title\x9c')).toBe('ok  gnp.exe31mred0;title');
  expect(spansOf('\u202edrow')).toEqual([{ text: 'drow' }]);
});
