import { wrongUsage } from './framework/errors.ts';

const HOUR = 3_600_000;
const spans: Record<string, number> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** A span from now, forwards or backwards, a date or a time, as the time on the wire. */
export function readTime(
  option: string,
  text: string | undefined,
  { now, direction }: { now: number; direction: 1 | -1 },
): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  const looksLikeTime = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text);
  const span = Number(count) * (spans[unit] ?? 0) * direction;
  const time = new Date(count ? now + span : looksLikeTime ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw wrongUsage(
      `${option} does not understand "${text}".`,
      'Write a date such as 2027-03-31, a time such as 2027-03-31T12:00:00Z, or a span such as 30d.',
    );
  }
  return time.toISOString();
}
