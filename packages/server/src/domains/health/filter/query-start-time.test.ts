import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { parseQueryStartTime, TimeProblem } from './query-start-time.ts';

test.each([
  ['7/24/2020', '2020-07-24T00:00:00.000Z'],
  ['07/04/2020', '2020-07-04T00:00:00.000Z'],
  ['7%2F24%2f2020', '2020-07-24T00:00:00.000Z'],
  ['2/29/2024', '2024-02-29T00:00:00.000Z'],
  ['10/02/2024 13:45:07', '2024-10-02T13:45:07.000Z'],
  ['10/2/2024 9:45', '2024-10-02T09:45:00.000Z'],
  [' 7/24/2020 ', '2020-07-24T00:00:00.000Z'],
  ['2024-10-02', '2024-10-02T00:00:00.000Z'],
  ['2024-10-02T00:00:00', '2024-10-02T00:00:00.000Z'],
  ['2024-10-02t12:30z', '2024-10-02T12:30:00.000Z'],
  ['2024-10-02 12:30:15', '2024-10-02T12:30:15.000Z'],
  ['2024-10-02T12:30:15.1Z', '2024-10-02T12:30:15.100Z'],
  ['2024-10-02T12:30:15.1239999Z', '2024-10-02T12:30:15.123Z'],
  ['2024-10-02T12:30:15.123456789', '2024-10-02T12:30:15.123Z'],
  ['2024-10-02T00:00:00+02:00', '2024-10-01T22:00:00.000Z'],
  ['2024-10-02T00:00:00 02:00', '2024-10-01T22:00:00.000Z'],
  ['2024-10-02T00:00:00.5-0530', '2024-10-02T05:30:00.500Z'],
  ['2024-10-02T00:00:00-08', '2024-10-02T08:00:00.000Z'],
  ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
])('%j is %s', (text, time) => {
  expect(new Date(parseQueryStartTime(text)).toISOString()).toBe(time);
});

test.each([
  '',
  'yesterday',
  '2/30/2024',
  '2/29/2023',
  '13/1/2024',
  '0/1/2024',
  '1/0/2024',
  '7/24/20',
  '7/24/2020 25:00',
  '7/24/2020 24:00:00',
  '7/24/2020 12:60',
  '7/24/2020 12:00:60',
  '7/24/2020T12:00:00',
  '2024-02-30',
  '2024-13-01',
  '2024-1-1',
  '2024-10-02T',
  '2024-10-02T25:00:00',
  '2024-10-02T00:00:00+24:00',
  '2024-10-02T00:00:00+02:60',
  '0000-12-31',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '1595548800000',
  '٧/24/2020',
  '7/24/2020\n7/24/2021',
])('refuses %j and names the valid formats', (text) => {
  expect(() => parseQueryStartTime(text)).toThrow(TimeProblem);
  expect(() => parseQueryStartTime(text)).toThrow(/month\/day\/year such as 7\/24\/2020.*ISO 8601/);
});

test('does not repeat a long text in full', () => {
  expect(() => parseQueryStartTime('9'.repeat(10_000))).toThrow(/^"9{40}…" is not/);
});

const times = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });

test('parses every time in the format of responses', () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(parseQueryStartTime(time.toISOString())).toBe(time.getTime());
    }),
  );
});

test('a time zone shifts the time by its offset', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -14 * 60, max: 14 * 60 }), (time, offset) => {
      const two = (value: number) => String(value).padStart(2, '0');
      const amount = Math.abs(offset);
      const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(amount / 60))}:${two(amount % 60)}`;
      expect(parseQueryStartTime(time.toISOString().replace('Z', zone))).toBe(time.getTime() - offset * 60_000);
    }),
  );
});

test('month/day/year is the start of that day', () => {
  fc.assert(
    fc.property(times, (time) => {
      const year = String(time.getUTCFullYear()).padStart(4, '0');
      const text = `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${year}`;
      expect(parseQueryStartTime(text)).toBe(Math.floor(time.getTime() / 86_400_000) * 86_400_000);
    }),
  );
});

test('any text is a time or a TimeProblem', () => {
  const nearly = fc.array(fc.constantFrom(...'0123456789/-:.TZ+ %2F'), { maxLength: 40 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anySign }), nearly), (text) => {
      try {
        expect(parseQueryStartTime(text)).toSatisfy(Number.isSafeInteger);
      } catch (error) {
        expect(error).toBeInstanceOf(TimeProblem);
      }
    }),
    { numRuns: 1000 },
  );
});
