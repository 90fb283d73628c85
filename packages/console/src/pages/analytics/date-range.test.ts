import { expect, test } from 'vitest';
import { daysBefore, daysSince, parseDateRange, toAnalyticsFilter } from './date-range.ts';

const now = Date.parse('2026-11-15T23:59:00Z');

test.each([
  ['', '2026-10-19', '2026-11-15', 28],
  ['7d', '2026-11-09', '2026-11-15', 7],
  ['2026-11-01..2026-11-03', '2026-11-01', '2026-11-03', 3],
  ['2026-11-03..2026-11-03', '2026-11-03', '2026-11-03', 1],
  ['2026-11-03..2026-11-01', '2026-10-19', '2026-11-15', 28],
  ['2026-13-40..2026-11-01', '2026-10-19', '2026-11-15', 28],
  ['1026-01-01..2026-11-01', '2026-10-19', '2026-11-15', 28],
  ['nonsense', '2026-10-19', '2026-11-15', 28],
])('reads %j as %s to %s', (text, first, last, days) => {
  expect(parseDateRange(text, now)).toEqual({ first, last, days });
});

test('the previous period has the same length and ends before this one', () => {
  expect(daysBefore(parseDateRange('7d', now))).toEqual({ first: '2026-11-02', last: '2026-11-08', days: 7 });
});

test('reads a start time as a range until today of at most a year', () => {
  expect(daysSince(Date.parse('2026-11-14T08:00:00Z'), now)).toEqual({
    first: '2026-11-14',
    last: '2026-11-15',
    days: 2,
  });
  expect(daysSince(0, now)).toMatchObject({ first: '2025-11-16', days: 365 });
  expect(daysSince(now + 5 * 86_400_000, now)).toMatchObject({ first: '2026-11-15', days: 1 });
});

test('filters by version only if versions are selected', () => {
  const days = parseDateRange('7d', now);
  expect(toAnalyticsFilter(days, '')).toEqual({ start: '2026-11-09T00:00:00Z', end: '2026-11-15T00:00:00Z' });
  expect(toAnalyticsFilter(days, '1.0|1.1').versions).toBe('1.0|1.1');
});
