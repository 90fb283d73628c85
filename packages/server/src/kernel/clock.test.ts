import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, systemClock, toIso } from './clock.ts';

test('times are milliseconds since 1970', () => {
  expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1000, 60_000, 3_600_000, 86_400_000]);
  expect(toIso(DAY + HOUR + MINUTE + SECOND + 1)).toBe('1970-01-02T01:01:01.001Z');
  const before = Date.now();
  const now = systemClock.now();
  expect([now >= before, now <= Date.now()]).toEqual([true, true]);
});
