import { expect, test } from 'vitest';
import { parseWindow } from './duration.ts';

test.each([
  ['90m', 5_400_000],
  ['72h', 259_200_000],
  ['3d', 259_200_000],
  ['9999d', 863_913_600_000],
])('%s is %d ms', (text, milliseconds) => {
  expect(parseWindow(text)).toBe(milliseconds);
});

test.each(['', '3', 'd', '0d', '03d', '10000d', '-3d', '1.5h', '3 d', '3D', '3w', '3d ', '3d2h'])(
  'refuses %j',
  (text) => {
    expect(parseWindow(text)).toBeUndefined();
  },
);
