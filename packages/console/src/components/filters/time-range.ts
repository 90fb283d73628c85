const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Common ranges, by their name in the URL. */
const spans: Record<string, { label: string; milliseconds: number }> = {
  '24h': { label: 'Last 24 hours', milliseconds: DAY },
  '7d': { label: 'Last 7 days', milliseconds: 7 * DAY },
  '30d': { label: 'Last 30 days', milliseconds: 30 * DAY },
  '90d': { label: 'Last 90 days', milliseconds: 90 * DAY },
};

export const rangeChoices = Object.entries(spans).map(([value, { label }]) => ({ value, label }));

export interface TimeRange {
  since?: string;
  until?: string;
}

const dayText = /^\d{4}-\d\d-\d\d$/;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Start of a day in the user's time zone. */
function parseDay(text: string): Date | undefined {
  const start = new Date(`${text}T00:00:00`);
  return dayText.test(text) && !Number.isNaN(start.getTime()) ? start : undefined;
}

const parseDays = (text: string): [from: Date | undefined, to: Date | undefined] => {
  const [from = '', to = ''] = text.split('..');
  return [parseDay(from), parseDay(to)];
};

/** "2026-11-01..2026-11-15": either end is optional. */
export const writeDays = (from: string, to: string): string => (to ? `${from}..${to}` : from);

export function readDays(text: string): [from: string, to: string] {
  const [from = '', to = ''] = text.split('..');
  return [dayText.test(from) ? from : '', dayText.test(to) ? to : ''];
}

/**
 * Converts a range for the API. The last day is included; spans start at a full hour, so that their queries stay
 * cached.
 */
export function readRange(text: string, now: number): TimeRange {
  const span = spans[text];
  if (span) return { since: new Date(Math.floor(now / HOUR) * HOUR - span.milliseconds).toISOString() };
  const [from, to] = parseDays(text);
  const range: TimeRange = {};
  if (from) range.since = from.toISOString();
  if (to) range.until = new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1).toISOString();
  return range;
}

export function formatRange(text: string): string {
  const [from, to] = parseDays(text);
  if (from && to) return day.formatRange(from, to);
  if (from) return `since ${day.format(from)}`;
  if (to) return `until ${day.format(to)}`;
  return spans[text]?.label ?? text;
}
