import { expect, test } from 'vitest';
import { timeInWords } from './time-words.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['2026-11-15T11:59:30Z', 'just now'],
  ['2026-11-15T12:00:30Z', 'in a moment'],
  ['2026-11-15T11:58:10Z', '1 minute ago'],
  ['2026-11-15T09:00:00Z', '3 hours ago'],
  ['2026-11-14T11:00:00Z', '1 day ago'],
  ['2026-11-08T12:00:01Z', '6 days ago'],
  ['2026-11-17T13:00:00Z', 'in 2 days'],
])('%s reads %s', (at, words) => {
  expect(timeInWords(Date.parse(at), now)).toBe(words);
});

test.each(['2026-11-08T12:00:00Z', '2026-11-22T12:00:00Z', '2020-01-01T12:00:00Z'])(
  'a week away from it, %s is a day of the calendar',
  (at) => {
    expect(timeInWords(Date.parse(at), now)).toContain(new Date(at).getFullYear().toString());
  },
);
