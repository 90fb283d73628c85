import type { Deps } from '../../context.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { type DayRange, getDayStart, toDay } from '../../telemetry/index.ts';

const MAX_RANGE_DAYS = 3660;

/** Only the days count; both ends are included. */
export function parseDayRange(
  { clock }: Pick<Deps, 'clock'>,
  { start, end }: { start: string; end?: string },
): DayRange {
  const from = toDay(Date.parse(start));
  const to = end === undefined ? Math.max(from, toDay(clock.now())) : toDay(Date.parse(end));
  if (from > to) throw badRequest('start must not be after end.');
  if (to - from >= MAX_RANGE_DAYS) throw badRequest(`The range exceeds ${MAX_RANGE_DAYS} days. Shorten it.`);
  return { from, to };
}

/** From the beginning of the first day to the end of the last. */
export const toTimeRange = ({ from, to }: DayRange) => ({ from: getDayStart(from), to: getDayStart(to) + DAY });

/** One entry for each day of a range, in order. */
export const byDay = <T>({ from, to }: DayRange, valueOn: (day: number) => T): { datetime: string; value: T }[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    datetime: toIso(getDayStart(from + at)),
    value: valueOn(from + at),
  }));

/** Values joined by pipes or in separate parameters. */
export const namesFrom = (names: string | string[] | undefined): string[] =>
  [names ?? []].flat().flatMap((text) => text.split('|').filter((name) => name !== ''));
