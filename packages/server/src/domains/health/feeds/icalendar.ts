import { toIso } from '../../../kernel/clock.ts';
export interface CalendarEvent {
  /** Identifies the event through all changes; globally unique, such as `BC_1-FXZ@mooring.example.com`. */
  uid: string;
  /** Increases with every change. */
  sequence: number;
  startsAt: number;
  /** Undefined if the end is unknown. */
  endsAt?: number;
  updatedAt: number;
  summary: string;
  description?: string;
  location?: string;
  url?: string;
  categories?: readonly string[];
  isCancelled?: boolean;
}

export interface Calendar {
  name: string;
  events: readonly CalendarEvent[];
}

const longestLine = 75;

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 has no way to write them
const controls = /[\u0000-\u0008\u000a-\u001f\u007f]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(controls, '');

/** `20241002T093000Z`. */
const time = (milliseconds: number): string => `${toIso(milliseconds).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** Breaks a line after at most 75 octets, never within a character. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > longestLine) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}

/** RFC 5545. Without METHOD, DTSTAMP is the time of the last change, so the same events are the same bytes. */
export function renderCalendar({ name, events }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Mooring//Service health//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map(fold).join('');
}

function eventLines(event: CalendarEvent): string[] {
  const [start, end] = [time(event.startsAt), event.endsAt === undefined ? '' : time(event.endsAt)];
  const text = (property: string, value = ''): string[] => (value === '' ? [] : [`${property}:${escaped(value)}`]);
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${time(event.updatedAt)}`,
    `LAST-MODIFIED:${time(event.updatedAt)}`,
    `DTSTART:${start}`,
    // The end must be later than the start.
    ...(end > start ? [`DTEND:${end}`] : []),
    `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    `SUMMARY:${escaped(event.summary)}`,
    ...text('DESCRIPTION', event.description),
    ...text('LOCATION', event.location),
    ...(event.categories?.length ? [`CATEGORIES:${event.categories.map(escaped).join(',')}`] : []),
    ...(event.url === undefined ? [] : [`URL:${new URL(event.url).href}`]),
    'END:VEVENT',
  ];
}
