import { expect, test } from 'vitest';
import { formatChange, formatDuration, formatPoints, formatShare, parseDuration } from './numbers.ts';

test.each([
  ['PT0S', 0],
  ['PT4M10.5S', 250.5],
  ['PT1H', 3600],
  ['P1DT2H3M', 93_780],
  ['nonsense', 0],
])('parses duration %s as %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test('formats durations in their two largest units', () => {
  expect([9.6, 250, 7260].map(formatDuration)).toEqual(['10 s', '4 min 10 s', '2 h 1 min']);
});

test('formats a relative change, if there is a sufficient earlier value', () => {
  expect([
    formatChange(112, 100),
    formatChange(50, 100),
    formatChange(70, 70),
    formatChange(3, 0),
    formatChange(33, 4),
  ]).toEqual(['+12%', '-50%', '0%', undefined, undefined]);
});

test('a share of an empty total is 0', () => {
  expect([formatShare(1, 8), formatShare(0, 0)]).toEqual(['12.5%', '0%']);
});

test('formats the change of a percentage in points', () => {
  expect([formatPoints(97.4, 95), formatPoints(99, 100), formatPoints(50, 50)]).toEqual([
    '+2.4 points',
    '-1 point',
    '0 points',
  ]);
});
