import { expect, test } from 'vitest';
import { formatOffset } from './offset.ts';

test.each([
  [0, '00:00'],
  [42_000, '−00:42'],
  [42_400, '−00:42'],
  [61_000, '−01:01'],
  [3_723_000, '−1:02:03'],
  [-5_000, '+00:05'],
  [100, '00:00'],
])('an event %i ms before the crash is at %s', (before, text) => {
  expect(formatOffset(1_700_000_000_000 - before, 1_700_000_000_000)).toBe(text);
});
