import { expect, test } from 'vitest';
import { asChange, asShare, lengthInWords, secondsOf } from './numbers.ts';

test.each([
  ['PT0S', 0],
  ['PT4M10.5S', 250.5],
  ['PT1H', 3600],
  ['P1DT2H3M', 93_780],
  ['nonsense', 0],
])('the duration %s has %d seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test('lengths are told in the two largest units that they need', () => {
  expect([9.6, 250, 7260].map(lengthInWords)).toEqual(['10 s', '4 min 10 s', '2 h 1 min']);
});

test('a change is told against what was before, and not at all if there was nothing', () => {
  expect([asChange(112, 100), asChange(50, 100), asChange(7, 7), asChange(3, 0)]).toEqual([
    '+12%',
    '-50%',
    '0%',
    undefined,
  ]);
});

test('a share of nothing is nothing', () => {
  expect([asShare(1, 8), asShare(0, 0)]).toEqual(['12.5%', '0%']);
});
