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
])('writes %j as %s', (value, text) => {
  expect(toCsv([[value, 'x']])).toBe(`${text},x\r\n`);
});

test.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx'])('keeps spreadsheets from running %j as a formula', (value) => {
  expect(toCsv([[value]])).toBe(`'${value}\r\n`);
});
