import { expect, test } from 'vitest';
import { formatCount } from './format-count.ts';

test.each([
  [0, 'device', undefined, '0 devices'],
  [1, 'device', undefined, '1 device'],
  [1200, 'device', undefined, '1,200 devices'],
  [2, 'crash', 'crashes', '2 crashes'],
])('counts %i %s', (count, one, many, text) => {
  expect(formatCount(count, one, many)).toBe(text);
});
