import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test.each([
  ['plain', 'plain'],
  [12.5, '12.5'],
  [-3, '-3'],
  [undefined, ''],
  ['Hopper, Grace', '"Hopper, Grace"'],
  ['say "ahoy"', '"say ""ahoy"""'],
  ['two\nlines', '"two\nlines"'],
])('%j is written as %s', (value, text) => {
  expect(toCsv([[value, 'x']])).toBe(`${text},x\r\n`);
});

test.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx'])('%j is no formula to a spreadsheet', (value) => {
  expect(toCsv([[value]])).toBe(`'${value}\r\n`);
});
