/** Chart colors in order. Each contrasts with the background and with the others, in both schemes. */
export const palette = {
  light: ['#1f6592', '#b35309', '#2b7a3d', '#7a4fb5', '#c2255c', '#5b6873'],
  dark: ['#74b6e0', '#ffb066', '#6fd08c', '#c3a6ff', '#ff8fb1', '#b7c3cd'],
} as const;

/** Chart backgrounds. */
export const grounds = { light: '#ffffff', dark: '#1b2127' } as const;

/** As CSS variables `--chart-1`, `--chart-2`, …. */
export const chartVariables = (scheme: keyof typeof palette): Record<string, string> =>
  Object.fromEntries(palette[scheme].map((color, at) => [`--chart-${at + 1}`, color]));

/** The color of a series; series beyond the last color share it. */
export const seriesColor = (at: number): string => `var(--chart-${Math.min(at, palette.light.length - 1) + 1})`;
