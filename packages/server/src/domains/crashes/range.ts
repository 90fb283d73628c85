import type { Deps } from '../../context.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { type DayRange, dayOf, startOfDay } from '../../telemetry/index.ts';

const MOST_DAYS = 3660;

/** Only the days count, and both are included. */
export function rangeOf({ clock }: Pick<Deps, 'clock'>, { start, end }: { start: string; end?: string }): DayRange {
  const from = dayOf(Date.parse(start));
  const to = end === undefined ? Math.max(from, dayOf(clock.now())) : dayOf(Date.parse(end));
  if (from > to) throw badRequest('start is after end.');
  if (to - from >= MOST_DAYS) throw badRequest(`From start to end are more than ${MOST_DAYS} days; ask for fewer.`);
  return { from, to };
}

/** From the beginning of the first day to the end of the last. */
export const timesOf = ({ from, to }: DayRange) => ({ from: startOfDay(from), to: startOfDay(to) + DAY });

/** One for each day of a range, in order. */
export const byDay = <T>({ from, to }: DayRange, valueOn: (day: number) => T): { datetime: string; value: T }[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    datetime: toIso(startOfDay(from + at)),
    value: valueOn(from + at),
  }));

/** Values joined by pipes, or given one by one; nothing if there are none. */
export const namesFrom = (given: string | string[] | undefined): string[] =>
  [given ?? []].flat().flatMap((text) => text.split('|').filter((name) => name !== ''));
