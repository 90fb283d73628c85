import { expect, test } from 'vitest';
import { chartVariables, grounds, palette, seriesColor } from './palette.ts';

const channel = (value: number): number => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test.each(['light', 'dark'] as const)('every series color contrasts with the %s background', (scheme) => {
  for (const color of palette[scheme]) {
    expect([color, contrast(color, grounds[scheme]) >= 4.5]).toEqual([color, true]);
  }
  expect(new Set(palette[scheme]).size).toBe(palette[scheme].length);
});

test('reuses the last color for further series', () => {
  expect(seriesColor(0)).toBe('var(--chart-1)');
  expect(seriesColor(99)).toBe('var(--chart-6)');
  expect(chartVariables('dark')['--chart-2']).toBe(palette.dark[1]);
});
