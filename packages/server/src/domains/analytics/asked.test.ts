import { expect, test } from 'vitest';
import { isoDuration } from './asked.ts';

test.each([
  [0, 'PT0S'],
  [999.6, 'PT1S'],
  [61_500, 'PT1M1.5S'],
  [3_600_000, 'PT1H'],
  [90_061_001, 'PT25H1M1.001S'],
])('%d ms are %s', (ms, text) => expect(isoDuration(ms)).toBe(text));
