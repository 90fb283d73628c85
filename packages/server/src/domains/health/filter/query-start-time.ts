/** A time that cannot be parsed or does not exist; the message says which formats are valid. */
export class TimeProblem extends Error {
  override name = 'TimeProblem';

  constructor(text: string) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    super(
      `"${shown}" is not a valid time. Write month/day/year such as 7/24/2020, optionally with a time such as 7/24/2020 13:45:00, or ISO 8601 such as 2020-07-24 or 2020-07-24T13:45:00Z (UTC if it has no time zone).`,
    );
  }
}

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,20}))?)?`;
// An unescaped + in a query string has become a space.
const zone = String.raw`(?<utc>Z)|(?<sign>[+ -])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?`;
const monthFirst = new RegExp(String.raw`^(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4})(?: ${clock})?$`);
const iso = new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ]${clock}(?:${zone})?)?$`, 'i');

const firstYear = 1;
const lastYear = 9999;

/**
 * Parses `M/D/YYYY` with or without a time, or an ISO 8601 date or date-time, to epoch milliseconds; UTC without a time zone.
 * Truncates to milliseconds.
 */
export function parseQueryStartTime(text: string): number {
  const plain = text.trim().replaceAll(/%2f/gi, '/');
  const parts = (monthFirst.exec(plain) ?? iso.exec(plain))?.groups;
  if (!parts) throw new TimeProblem(text);
  const number = (name: string): number => Number(parts[name] ?? 0);

  const [year, month, day] = [number('year'), number('month'), number('day')];
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const [zoneHour, zoneMinute] = [number('zoneHour'), number('zoneMinute')];
  const date = new Date(0);
  // Date.UTC would map the years 1 to 99 to 1901 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  const dayExists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const timeExists = hour < 24 && minute < 60 && second < 60 && zoneHour < 24 && zoneMinute < 60;
  if (!dayExists || !timeExists) throw new TimeProblem(text);

  date.setUTCHours(hour, minute, second, Number((parts.fraction ?? '').slice(0, 3).padEnd(3, '0')));
  const offset = (zoneHour * 60 + zoneMinute) * 60_000;
  const time = date.getTime() - (parts.sign === '-' ? -offset : offset);
  const yearInUtc = new Date(time).getUTCFullYear();
  if (yearInUtc < firstYear || yearInUtc > lastYear) throw new TimeProblem(text);
  return time;
}
