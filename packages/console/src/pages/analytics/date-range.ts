import type { AnalyticsFilter } from '../../api/telemetry/analytics.ts';

const DAY = 86_400_000;

/** Whole UTC days, as the server counts logs, up to today. */
export const spans: { value: string; label: string; days: number }[] = [
  { value: '7d', label: 'Last 7 days', days: 7 },
  { value: '28d', label: 'Last 28 days', days: 28 },
  { value: '90d', label: 'Last 90 days', days: 90 },
  { value: '365d', label: 'Last 12 months', days: 365 },
  { value: '548d', label: 'Last 18 months', days: 548 },
];
export const DEFAULT_SPAN = '28d';
/** Longer ranges predate smartphones. */
const MAX_DAYS = 3650;

const dayText = /^\d{4}-\d\d-\d\d$/;
const floorToDay = (time: number): number => Math.floor(time / DAY) * DAY;
const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export interface DateRange {
  /** First and last day: "2026-11-01". */
  first: string;
  last: string;
  days: number;
}

/** Period from the URL; the default for invalid values. */
export function parseDateRange(text: string, now: number): DateRange {
  const [from = '', to = ''] = text.split('..');
  const [start, end] = [from, to].map((day) => (dayText.test(day) ? Date.parse(day) : Number.NaN)) as [number, number];
  if (start <= end && end - start < MAX_DAYS * DAY) {
    return { first: from, last: to, days: Math.round((end - start) / DAY) + 1 };
  }
  const days = spans.find(({ value }) => value === text)?.days ?? 28;
  return { first: formatDay(floorToDay(now) - (days - 1) * DAY), last: formatDay(now), days };
}

/** From a time until today, limited to a year because device clocks can be wrong. */
export function daysSince(start: number, now: number): DateRange {
  const first = Math.min(Math.max(floorToDay(start), floorToDay(now) - 364 * DAY), floorToDay(now));
  return { first: formatDay(first), last: formatDay(now), days: Math.round((floorToDay(now) - first) / DAY) + 1 };
}

/** The preceding period of the same length. */
export function daysBefore({ first, days }: DateRange): DateRange {
  const end = Date.parse(first) - DAY;
  return { first: formatDay(end - (days - 1) * DAY), last: formatDay(end), days };
}

export const toAnalyticsFilter = ({ first, last }: DateRange, versions: string): AnalyticsFilter => ({
  start: `${first}T00:00:00Z`,
  end: `${last}T00:00:00Z`,
  ...(versions ? { versions } : {}),
});
