import { expect, test } from 'vitest';
import { formatTime } from './format-time.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['2026-11-15T11:59:30Z', 'moments ago'],
  ['2026-11-15T12:00:30Z', 'in a moment'],
  ['2026-11-15T11:58:10Z', '1 minute ago'],
  ['2026-11-15T09:00:00Z', '3 hours ago'],
  ['2026-11-14T11:00:00Z', '1 day ago'],
  ['2026-11-08T12:00:01Z', '6 days ago'],
  ['2026-11-17T13:00:00Z', 'in 2 days'],
])('formats %s as %s', (at, text) => {
  expect(formatTime(Date.parse(at), now)).toBe(text);
});

test.each(['2026-11-08T12:00:00Z', '2026-11-22T12:00:00Z', '2020-01-01T12:00:00Z'])(
  'formats %s, a week away, as a date',
  (at) => {
    expect(formatTime(Date.parse(at), now)).toContain(new Date(at).getFullYear().toString());
  },
);
