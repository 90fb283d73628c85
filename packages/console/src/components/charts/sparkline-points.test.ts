import { expect, test } from 'vitest';
import { describeSeries, toPolylinePoints } from './sparkline-points.ts';

test.each([
  ['a rise', [0, 5, 10], '0.0,27.0 60.0,14.0 120.0,1.0'],
  ['nothing at all', [0, 0], '0.0,27.0 120.0,27.0'],
  ['one day', [3], '0.0,1.0'],
  ['no day', [], ''],
])('draws %s from left to right within its box', (_, values, points) => {
  expect(toPolylinePoints(values, 120, 28)).toBe(points);
});

test('describes a series in a sentence', () => {
  expect(describeSeries('Active users', [3, 12, 5])).toBe('Active users: 5 now, lowest 3, highest 12.');
  expect(describeSeries('Crashes', [])).toBe('Crashes: no data');
});
