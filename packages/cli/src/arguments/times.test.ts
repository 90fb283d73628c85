import { expect, it } from 'vitest';
import { exitCodes } from '../framework/errors.ts';
import { readTime } from './times.ts';

const now = Date.parse('2026-11-01T09:00:00.000Z');

it.each([
  ['12h', '2026-11-01T21:00:00.000Z'],
  ['30d', '2026-12-01T09:00:00.000Z'],
  ['2w', '2026-11-15T09:00:00.000Z'],
  ['2027-03-31', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31T12:00:00+02:00', '2027-03-31T10:00:00.000Z'],
])('reads %s as %s', (text, time) => expect(readTime('--at', text, { now, direction: 1 })).toBe(time));

it('returns undefined without a value', () =>
  expect(readTime('--at', undefined, { now, direction: 1 })).toBeUndefined());

it.each(['', '30', '30 days', 'd', '1', 'tomorrow', '2027-13-01', '99999999999d'])(
  'rejects "%s" as wrong usage',
  (text) => {
    expect(() => readTime('--at', text, { now, direction: 1 })).toThrow(
      expect.objectContaining({ exitCode: exitCodes.usage }),
    );
  },
);

it('reads a duration in the past', () => {
  expect(readTime('--since', '1d', { now, direction: -1 })).toBe('2026-10-31T09:00:00.000Z');
});
