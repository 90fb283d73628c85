import type { Asked } from '../../api/analytics.ts';

const DAY = 86_400_000;

/** Whole days, by UTC, as logs are counted; each ends with today. */
export const spans: { value: string; label: string; days: number }[] = [
  { value: '7d', label: 'Last 7 days', days: 7 },
  { value: '28d', label: 'Last 28 days', days: 28 },
  { value: '90d', label: 'Last 90 days', days: 90 },
  { value: '365d', label: 'Last 12 months', days: 365 },
  { value: '548d', label: 'Last 18 months', days: 548 },
];
export const USUAL = '28d';
/** More would be a list of every day since long before anybody had a phone. */
const MOST_DAYS = 3650;

const dayText = /^\d{4}-\d\d-\d\d$/;
const startOf = (time: number): number => Math.floor(time / DAY) * DAY;
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export interface AskedDays {
  /** The first and the last day: "2026-11-01". */
  first: string;
  last: string;
  days: number;
}

/** What the address asks for; the usual days if it makes no sense. */
export function readDaysAsked(text: string, now: number): AskedDays {
  const [from = '', to = ''] = text.split('..');
  const [start, end] = [from, to].map((day) => (dayText.test(day) ? Date.parse(day) : Number.NaN)) as [number, number];
  if (start <= end && end - start < MOST_DAYS * DAY) {
    return { first: from, last: to, days: Math.round((end - start) / DAY) + 1 };
  }
  const days = spans.find(({ value }) => value === text)?.days ?? 28;
  return { first: textOf(startOf(now) - (days - 1) * DAY), last: textOf(now), days };
}

/** From a time until today, a year at most, as long as nobody has a clock that goes wrong. */
export function daysSince(start: number, now: number): AskedDays {
  const first = Math.min(Math.max(startOf(start), startOf(now) - 364 * DAY), startOf(now));
  return { first: textOf(first), last: textOf(now), days: Math.round((startOf(now) - first) / DAY) + 1 };
}

/** As many days, which end before these begin. */
export function daysBefore({ first, days }: AskedDays): AskedDays {
  const end = Date.parse(first) - DAY;
  return { first: textOf(end - (days - 1) * DAY), last: textOf(end), days };
}

export const toAsked = ({ first, last }: AskedDays, versions: string): Asked => ({
  start: `${first}T00:00:00Z`,
  end: `${last}T00:00:00Z`,
  ...(versions ? { versions } : {}),
});
