const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const here = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const utc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** Relative within a week, then the date. */
export function formatTime(at: number, now: number): string {
  const passed = at - now;
  const size = Math.abs(passed);
  if (size < MINUTE) return passed > 0 ? 'in a moment' : 'moments ago';
  if (size < HOUR) return ago.format(Math.trunc(passed / MINUTE), 'minute');
  if (size < DAY) return ago.format(Math.trunc(passed / HOUR), 'hour');
  if (size < 7 * DAY) return ago.format(Math.trunc(passed / DAY), 'day');
  return day.format(at);
}

/** Local time to the minute. */
export const formatExactTime = (at: number): string => here.format(at);

/** With UTC, to compare with logs. */
export const formatTimeWithUtc = (at: number): string => `${here.format(at)}, ${utc.format(at)} UTC`;
