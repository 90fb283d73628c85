import { wrongUsage } from '../framework/errors.ts';

const HOUR = 3_600_000;
const durations: Record<string, number> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** Reads a date, a time, or a duration before or after now, as an ISO time. */
export function readTime(
  option: string,
  text: string | undefined,
  { now, direction }: { now: number; direction: 1 | -1 },
): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  const looksLikeTime = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text);
  const duration = Number(count) * (durations[unit] ?? 0) * direction;
  const time = new Date(count ? now + duration : looksLikeTime ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw wrongUsage(
      `Invalid time "${text}" for ${option}.`,
      'Use a date such as 2027-03-31, a time such as 2027-03-31T12:00:00Z, or a duration such as 12h, 30d or 8w.',
    );
  }
  return time.toISOString();
}
