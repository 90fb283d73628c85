import { expect, test } from 'vitest';
import { formatDay, getExpiry } from './expiry.ts';

const now = Date.parse('2026-11-01T09:00:00.000Z');

test('offers tokens without expiration', () => {
  expect(getExpiry('Never', '', now)).toBeUndefined();
});

test.each([
  ['30 days', '2026-12-01T09:00:00.000Z'],
  ['90 days', '2027-01-30T09:00:00.000Z'],
  ['1 year', '2027-11-01T09:00:00.000Z'],
])('a token for %s expires at %s', (choice, expected) => {
  expect(getExpiry(choice, '', now)).toBe(expected);
});

test('a token with a date expires at the end of that day', () => {
  const expiry = new Date(getExpiry('On a date', '2027-03-31', now) ?? '');
  expect(formatDay(expiry)).toBe('2027-03-31');
  expect(formatDay(new Date(expiry.getTime() + 1000))).toBe('2027-04-01');
});
