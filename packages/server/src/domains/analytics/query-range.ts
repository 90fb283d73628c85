import type { AppCtx } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { type DayRange, type Filter, getDayStart, toDay } from '../../telemetry/index.ts';

/** Common parameters of most operations, named as in the API. */
export interface QueryRange {
  start: string;
  end?: string;
  versions?: string | string[];
}

export const MAX_RANGE_DAYS = 3660;

/** Only the days count; both ends are included. */
export function parseDayRange(ctx: Pick<AppCtx, 'clock'>, { start, end }: Pick<QueryRange, 'start' | 'end'>): DayRange {
  const from = toDay(Date.parse(start));
  const to = end === undefined ? Math.max(from, toDay(ctx.clock.now())) : toDay(Date.parse(end));
  if (from > to) throw badRequest('start must not be after end.');
  if (to - from >= MAX_RANGE_DAYS) throw badRequest(`The range exceeds ${MAX_RANGE_DAYS} days. Shorten it.`);
  return { from, to };
}

/** Values joined by pipes or in separate parameters. */
export const namesFrom = (names: string | string[] | undefined): string[] =>
  [names ?? []].flat().flatMap((text) => text.split('|').filter((name) => name !== ''));

export function filterFrom({ versions }: Pick<QueryRange, 'versions'>): Filter {
  const names = namesFrom(versions);
  return names.length > 0 ? { version: names } : {};
}

/** One entry for each bucket of `bucketDays` days. */
export const series = (range: DayRange, counts: readonly number[], bucketDays = 1) =>
  counts.map((count, at) => ({ datetime: toIso(getDayStart(range.from + at * bucketDays)), count }));

/** Division by zero results in 0. */
export const ratio = (count: number, of: number): number => (of === 0 ? 0 : count / of);

export const intervalDays = { P1D: 1, P1W: 7, P30D: 30 } as const;

/** For example `PT1H2M3.5S`; omits parts that are zero. */
export function isoDuration(ms: number): string {
  const seconds = Math.round(ms) / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = Math.round((seconds % 60) * 1000) / 1000;
  const parts = [hours && `${hours}H`, minutes && `${minutes}M`, rest && `${rest}S`].filter(Boolean).join('');
  return `PT${parts || '0S'}`;
}
