import { expect, test } from 'vitest';
import { inShort, linePoints, stackBars } from './chart-geometry.ts';

test.each([
  [
    [0, 5, 10],
    [
      [0, 20],
      [50, 10],
      [100, 0],
    ],
  ],
  [
    [7, 7],
    [
      [0, 10],
      [100, 10],
    ],
  ],
  [[3], [[0, 10]]],
  [[], []],
])('the line of %j runs through %j', (values, points) => {
  expect(linePoints(values, 100, 20)).toEqual(points);
});

test('bars stand on each other, and the highest sum reaches the top', () => {
  expect(
    stackBars(
      [
        [1, 3],
        [1, 0],
      ],
      30,
    ),
  ).toEqual([
    [
      { series: 0, y: 20, height: 10 },
      { series: 1, y: 10, height: 10 },
    ],
    [{ series: 0, y: 0, height: 30 }],
  ]);
});

test('nothing makes no bar, and less than nothing neither', () => {
  expect(stackBars([[0, -2]], 30)).toEqual([[], []]);
  expect(stackBars([], 30)).toEqual([]);
});

test('a series is told in a sentence', () => {
  expect(inShort('Active users', [3, 12, 5])).toBe('Active users: 5 now, lowest 3, highest 12.');
  expect(inShort('Crashes', [])).toBe('Crashes: no data.');
});
