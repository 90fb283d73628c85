import { expect, it } from 'vitest';
import { lastDays } from './analytics.ts';

const now = Date.parse('2026-11-15T10:00:00Z');

it('counts days back from today, including today', () => {
  expect(lastDays('1', now)).toEqual({ start: '2026-11-15T10:00:00.000Z', end: '2026-11-15T10:00:00.000Z' });
  expect(lastDays(undefined, now).start).toBe('2026-10-19T10:00:00.000Z');
});

it.each(['0', '-1', '1.5', '9999', 'all', ''])('rejects %j days', (days) => {
  expect(() => lastDays(days, now)).toThrow('--days must be a number from 1 to 3650');
});
