import { expect, test } from 'vitest';
import { formatMinute } from './format-minute.ts';

test('formats a time to the minute, in UTC', () => {
  expect(formatMinute('2026-11-15T12:30:59.000Z')).toBe('2026-11-15 12:30 UTC');
  expect(formatMinute(0)).toBe('1970-01-01 00:00 UTC');
});
