import { expect, test } from 'vitest';
import { isLastUnfinished, regularTicks, withoutToday } from './time-scale.ts';

test.each([
  [28, 8, [3, 7, 11, 15, 19, 23, 27]],
  [7, 10, [0, 1, 2, 3, 4, 5, 6]],
  [48, 5, [11, 23, 35, 47].map((at) => at)],
  [1, 4, [0]],
  [0, 4, []],
])('puts ticks on %d days at equal distances, at most %d', (count, most, ticks) => {
  expect(regularTicks(count, most)).toEqual(ticks);
});

test('knows a day or hour that has not ended', () => {
  const days = ['2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z'];
  expect(isLastUnfinished(days, Date.parse('2026-11-15T12:00:00Z'))).toBe(true);
  expect(isLastUnfinished(days, Date.parse('2026-11-16T00:00:00Z'))).toBe(false);
  expect(isLastUnfinished(['2026-11-15T10:00:00Z', '2026-11-15T11:00:00Z'], Date.parse('2026-11-15T11:59:00Z'))).toBe(
    true,
  );
  expect(isLastUnfinished(['2026-11-15T10:00:00Z'], Date.parse('2026-11-15T11:59:00Z'))).toBe(false);
});

test('leaves out today, but not the only day', () => {
  expect([withoutToday([1, 2, 3]), withoutToday([1])]).toEqual([[1, 2], [1]]);
});
