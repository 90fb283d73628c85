import { expect, test } from 'vitest';
import { daysBefore, daysSince, readDaysAsked, toAsked } from './asked-days.ts';

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
])('%j asks for the days from %s to %s', (text, first, last, days) => {
  expect(readDaysAsked(text, now)).toEqual({ first, last, days });
});

test('the period before is as long, and ends where this one begins', () => {
  expect(daysBefore(readDaysAsked('7d', now))).toEqual({ first: '2026-11-02', last: '2026-11-08', days: 7 });
});

test('since a time means until today, a year at most, and never the future', () => {
  expect(daysSince(Date.parse('2026-11-14T08:00:00Z'), now)).toEqual({
    first: '2026-11-14',
    last: '2026-11-15',
    days: 2,
  });
  expect(daysSince(0, now)).toMatchObject({ first: '2025-11-16', days: 365 });
  expect(daysSince(now + 5 * 86_400_000, now)).toMatchObject({ first: '2026-11-15', days: 1 });
});

test('versions are asked for only if there are some', () => {
  const days = readDaysAsked('7d', now);
  expect(toAsked(days, '')).toEqual({ start: '2026-11-09T00:00:00Z', end: '2026-11-15T00:00:00Z' });
  expect(toAsked(days, '1.0|1.1').versions).toBe('1.0|1.1');
});
