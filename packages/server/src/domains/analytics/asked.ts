import type { AppCtx } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { type DayRange, dayOf, type Filter, startOfDay } from '../../telemetry/index.ts';

/** What most operations are asked, in the words of the wire. */
export interface Asked {
  start: string;
  end?: string;
  versions?: string | string[];
}

export const MOST_DAYS = 3660;

/** Only the days count, and both are included. */
export function rangeOf(ctx: Pick<AppCtx, 'clock'>, { start, end }: Pick<Asked, 'start' | 'end'>): DayRange {
  const from = dayOf(Date.parse(start));
  const to = end === undefined ? Math.max(from, dayOf(ctx.clock.now())) : dayOf(Date.parse(end));
  if (from > to) throw badRequest('start is after end.');
  if (to - from >= MOST_DAYS) throw badRequest(`From start to end are more than ${MOST_DAYS} days; ask for fewer.`);
  return { from, to };
}

/** Values joined by pipes, or given one by one; nothing if there are none. */
export const namesFrom = (given: string | string[] | undefined): string[] =>
  [given ?? []].flat().flatMap((text) => text.split('|').filter((name) => name !== ''));

export function filterFrom({ versions }: Pick<Asked, 'versions'>): Filter {
  const names = namesFrom(versions);
  return names.length > 0 ? { version: names } : {};
}

/** One for each bucket of so many days. */
export const series = (range: DayRange, counts: readonly number[], bucketDays = 1) =>
  counts.map((count, at) => ({ datetime: toIso(startOfDay(range.from + at * bucketDays)), count }));

/** A ratio over nothing is 0. */
export const ratio = (count: number, of: number): number => (of === 0 ? 0 : count / of);

export const intervalDays = { P1D: 1, P1W: 7, P30D: 30 } as const;

/** `PT1H2M3.5S`; parts that are zero are left out. */
export function isoDuration(ms: number): string {
  const seconds = Math.round(ms) / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  const parts = [hours && `${hours}H`, minutes && `${minutes}M`, rest && `${rest}S`].filter(Boolean).join('');
  return `PT${parts || '0S'}`;
}
