import { expect, test } from 'vitest';
import { DAY } from '../../kernel/clock.ts';
import { filterFrom, isoDuration, namesFrom, parseDayRange, ratio, series } from './query-range.ts';

test.each([
  [0, 'PT0S'],
  [999.6, 'PT1S'],
  [61_500, 'PT1M1.5S'],
  [3_600_000, 'PT1H'],
  [90_061_001, 'PT25H1M1.001S'],
])('%d ms are %s', (ms, text) => expect(isoDuration(ms)).toBe(text));

const clock = { now: () => Date.parse('2026-11-01T09:00:00Z') };
const TODAY = Math.floor(clock.now() / DAY);

test('a range includes both days and ends today by default', () => {
  const range = (start: string, end?: string) =>
    parseDayRange({ clock }, end === undefined ? { start } : { start, end });
  expect(range('2026-10-31T23:59:59.999Z')).toEqual({ from: TODAY - 1, to: TODAY });
  expect(range('2026-11-01T23:00:00Z', '2026-11-01T00:00:00Z')).toEqual({ from: TODAY, to: TODAY });
  expect(range('2026-11-03T00:00:00Z')).toEqual({ from: TODAY + 2, to: TODAY + 2 });
  expect(() => range('2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z')).toThrow('start must not be after end.');
});

test('a range has at most 3660 days', () => {
  const end = '2026-11-01T00:00:00Z';
  const start = (days: number) => new Date((TODAY - days + 1) * DAY).toISOString();
  expect(parseDayRange({ clock }, { start: start(3660), end })).toEqual({ from: TODAY - 3659, to: TODAY });
  expect(() => parseDayRange({ clock }, { start: start(3661), end })).toThrow('exceeds 3660 days');
});

test('names are joined by pipes or repeated; no names mean no filter', () => {
  expect(namesFrom(['a|b', '', 'c|'])).toEqual(['a', 'b', 'c']);
  expect([namesFrom(undefined), filterFrom({}), filterFrom({ versions: '|' })]).toEqual([[], {}, {}]);
  expect(filterFrom({ versions: '1.0|2.0' })).toEqual({ version: ['1.0', '2.0'] });
});

test('a series has the first day of each bucket, and division by zero results in zero', () => {
  const range = { from: 0, to: 13 };
  expect(series(range, [3, 4], 7)).toEqual([
    { datetime: '1970-01-01T00:00:00.000Z', count: 3 },
    { datetime: '1970-01-08T00:00:00.000Z', count: 4 },
  ]);
  expect([ratio(3, 2), ratio(3, 0)]).toEqual([1.5, 0]);
});
