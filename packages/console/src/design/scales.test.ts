import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fontSizes, spacing } from './scales.ts';

const sources = path.join(import.meta.dirname, '..');

test('style sheets take their text sizes from the scale', () => {
  const sheets = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(10);
  for (const sheet of sheets) {
    const text = readFileSync(path.join(sources, sheet), 'utf8');
    const sizes = [...text.matchAll(/font-size: (.*);/g)].map(([, size]) => size);
    const known = Object.keys(fontSizes).map((name) => `var(--mantine-font-size-${name})`);
    expect([sheet, sizes.filter((size) => !known.includes(size ?? ''))]).toEqual([sheet, []]);
  }
});

test.each([
  ['text sizes', fontSizes],
  ['distances', spacing],
])('%s grow', (_, scale) => {
  const steps = Object.values(scale).map((step) => Number.parseFloat(step));
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});
