import { expect, test } from 'vitest';
import { sinceDay } from './since-day.ts';

test('a day begins where the reader is, and what is no day is no limit', () => {
  expect(sinceDay('2026-11-01')).toBe(new Date(2026, 10, 1).toISOString());
  expect([sinceDay(''), sinceDay('soon')]).toEqual([undefined, undefined]);
});
