import { expect, test } from 'vitest';
import { formatRange, readDays, readRange, writeDays } from './time-range.ts';

const now = Date.parse('2026-11-15T12:34:56.789Z');
const local = (text: string) => new Date(text).toISOString();

test('starts a span on a full hour, so that its query stays cached', () => {
  expect(readRange('24h', now)).toEqual({ since: '2026-11-14T12:00:00.000Z' });
  expect(readRange('7d', now)).toEqual({ since: '2026-11-08T12:00:00.000Z' });
});

test.each([
  ['2026-11-01', { since: local('2026-11-01T00:00:00') }],
  ['2026-11-01..2026-11-03', { since: local('2026-11-01T00:00:00'), until: local('2026-11-04T00:00:00') }],
  ['..2026-12-31', { until: local('2027-01-01T00:00:00') }],
  ['', {}],
  ['yesterday', {}],
  ['2026-13-45', {}],
])('converts %j to %j', (text, range) => {
  expect(readRange(text, now)).toEqual(range);
});

test('writes days in the format it reads', () => {
  for (const text of ['2026-11-01', '2026-11-01..2026-11-03', '..2026-11-03']) {
    expect(writeDays(...readDays(text))).toBe(text);
  }
  expect(readDays('7d')).toEqual(['', '']);
});

test('formats a range in words', () => {
  expect(formatRange('30d')).toBe('Last 30 days');
  expect(formatRange('2026-11-01')).toMatch(/^since .*2026/);
  expect(formatRange('..2026-11-01')).toMatch(/^until .*2026/);
});
