import { wrongUsage } from './runner/errors.ts';

const HOUR = 3_600_000;
const spans: Record<string, number> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** A span from now, a date or a time, as the time on the wire. */
export function readExpiry(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  const looksLikeTime = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text);
  const time = new Date(count ? now + Number(count) * (spans[unit] ?? 0) : looksLikeTime ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw wrongUsage(
      `--expires does not understand "${text}".`,
      'Write a date such as 2027-03-31, or a span such as 30d.',
    );
  }
  return time.toISOString();
}
