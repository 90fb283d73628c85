import { expect, it } from 'vitest';
import { readExpiry } from './expiry.ts';
import { exitCodes } from './runner/errors.ts';

const now = Date.parse('2026-11-01T09:00:00.000Z');

it.each([
  ['12h', '2026-11-01T21:00:00.000Z'],
  ['30d', '2026-12-01T09:00:00.000Z'],
  ['2w', '2026-11-15T09:00:00.000Z'],
  ['2027-03-31', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31T12:00:00+02:00', '2027-03-31T10:00:00.000Z'],
])('%s is %s', (text, time) => expect(readExpiry(text, now)).toBe(time));

it('is absent when nothing is given', () => expect(readExpiry(undefined, now)).toBeUndefined());

it.each(['', '30', '30 days', 'd', '1', 'tomorrow', '2027-13-01', '99999999999d'])('"%s" is wrong usage', (text) => {
  expect(() => readExpiry(text, now)).toThrow(expect.objectContaining({ exitCode: exitCodes.usage }));
});
