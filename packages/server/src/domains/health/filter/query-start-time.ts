/** A time that nobody can read, or that does not exist; the message says what would be right. */
export class TimeProblem extends Error {
  override name = 'TimeProblem';

  constructor(text: string) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    super(
      `"${shown}" is not a time that exists. Write month/day/year such as 7/24/2020, with a time such as 7/24/2020 13:45:00 if you like, or ISO 8601 such as 2020-07-24 or 2020-07-24T13:45:00Z (UTC when no zone is given).`,
    );
  }
}

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,20}))?)?`;
// A + that came through a query string unescaped is a space by now.
const zone = String.raw`(?<utc>Z)|(?<sign>[+ -])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?`;
const monthFirst = new RegExp(String.raw`^(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4})(?: ${clock})?$`);
const iso = new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ]${clock}(?:${zone})?)?$`, 'i');

const firstYear = 1;
const lastYear = 9999;

/**
 * Epoch milliseconds of `M/D/YYYY`, with or without a time, or of an ISO 8601 date or date-time, UTC when it has no zone.
 * Digits beyond the millisecond are cut off.
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
  // Date.UTC would read the years 1 to 99 as 1901 to 1999.
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
