import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { type CalendarEvent, renderCalendar } from './icalendar.ts';

const maintenance: CalendarEvent = {
  uid: 'BC_1-FXZ@mooring.example.com',
  sequence: 3,
  startsAt: Date.UTC(2024, 9, 2, 8),
  endsAt: Date.UTC(2024, 9, 2, 9, 30, 15, 999),
  updatedAt: Date.UTC(2024, 9, 1),
  summary: 'Disks; fans, and \\ cables',
  description: 'First line\r\nSecond line\n\tThird',
  location: 'West US, East US',
  url: 'https://mooring.example.com/health/BC_1-FXZ?a=1,2;b',
  categories: ['Mail, Calendar', 'Storage'],
};

/** Reads the calendar with an independent parser. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  return { calendar, events };
}
const valueIn = (event: ICAL.Event | undefined, name: string) => String(event?.component.getFirstPropertyValue(name));

test('an independent parser reads a planned maintenance', () => {
  const text = renderCalendar({ name: 'Lighthouse, planned', events: [maintenance] });
  expect(text.split('\r\n')).toContain('NAME:Lighthouse\\, planned');
  const { calendar, events } = read(text);
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  const [event] = events;
  expect(event).toMatchObject({
    uid: maintenance.uid,
    sequence: 3,
    summary: maintenance.summary,
    description: 'First line\nSecond line\n\tThird',
    location: maintenance.location,
  });
  expect(event?.startDate.toJSDate().getTime()).toBe(maintenance.startsAt);
  expect(event?.endDate.toJSDate().toISOString()).toBe('2024-10-02T09:30:15.000Z');
  expect(valueIn(event, 'dtstamp')).toBe('2024-10-01T00:00:00Z');
  expect(valueIn(event, 'last-modified')).toBe('2024-10-01T00:00:00Z');
  expect(valueIn(event, 'status')).toBe('CONFIRMED');
  expect(valueIn(event, 'url')).toBe(maintenance.url);
  expect(event?.component.getFirstProperty('categories')?.getValues()).toEqual(maintenance.categories);
});

test('cancels a withdrawn event, so that calendars remove it', () => {
  const { events } = read(renderCalendar({ name: 'x', events: [{ ...maintenance, isCancelled: true }] }));
  expect(valueIn(events[0], 'status')).toBe('CANCELLED');
});

test.each([undefined, maintenance.startsAt, maintenance.startsAt + 999, maintenance.startsAt - 1])(
  'omits an end that is not later than the start: %s',
  (endsAt) => {
    const { endsAt: _, ...rest } = maintenance;
    const text = renderCalendar({ name: 'x', events: [endsAt === undefined ? rest : { ...rest, endsAt }] });
    expect(text).not.toContain('DTEND');
    expect(read(text).events).toHaveLength(1);
  },
);

test('the same events produce the same bytes, and no events an empty calendar', () => {
  const calendar = { name: 'x', events: [maintenance] };
  expect(renderCalendar(calendar)).toBe(renderCalendar(structuredClone(calendar)));
  expect(read(renderCalendar({ name: 'x', events: [] })).events).toEqual([]);
});

test('prevents line injection', () => {
  const summary = 'x\r\nEND:VEVENT\nBEGIN:VEVENT\rATTACH:y\u2028z';
  const { events } = read(renderCalendar({ name: 'x\r\nMETHOD:CANCEL', events: [{ ...maintenance, summary }] }));
  expect(events).toHaveLength(1);
  expect(events[0]?.summary).toBe('x\nEND:VEVENT\nBEGIN:VEVENT\nATTACH:y\u2028z');
});

test('every line has at most 75 octets of whole characters and ends with CRLF, and text survives', () => {
  const unit = fc.constantFrom('a', 'é', '♥', '\u{1f980}', ' ', ',', ';', '\\', '\n', '"', ':', '\\n', '\t');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), (description) => {
      const text = renderCalendar({ name: 'x', events: [{ ...maintenance, description }] });
      const lines = text.split('\r\n');
      expect(lines.pop()).toBe('');
      for (const line of lines) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\r\n]/);
      }
      expect(read(text).events[0]?.description ?? '').toBe(description);
    }),
  );
});

test('removes bytes that a calendar cannot contain', () => {
  fc.assert(
    fc.property(fc.string({ unit: anySign, minLength: 1 }), (text) => {
      const summary = `.${text.replaceAll('\r', '\n')}`;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that are taken out
      const expected = summary.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
      expect(read(renderCalendar({ name: text, events: [{ ...maintenance, summary }] })).events[0]?.summary).toBe(
        expected,
      );
    }),
  );
});
