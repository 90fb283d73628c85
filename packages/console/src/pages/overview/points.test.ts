import { expect, test } from 'vitest';
import { pointsOf } from './points.ts';

test.each([
  ['a rise', [0, 5, 10], '0.0,27.0 60.0,14.0 120.0,1.0'],
  ['nothing at all', [0, 0], '0.0,27.0 120.0,27.0'],
  ['one day', [3], '0.0,1.0'],
  ['no day', [], ''],
])('%s is drawn from left to right within its box', (_, values, points) => {
  expect(pointsOf(values, 120, 28)).toBe(points);
});
