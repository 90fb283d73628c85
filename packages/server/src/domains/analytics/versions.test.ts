import { expect, test } from 'vitest';
import { isoDuration } from './asked.ts';
import { compareVersions } from './versions.ts';

test('versions come by their numbers, previews before their release, and what is no version last', () => {
  const inOrder = ['0.9', '1.0.0-alpha', '1.0.0-beta', '1.0.0', '1.2', '1.10', '1.10.1', '2', '10.0', 'dev', 'unknown'];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
  expect(compareVersions('1.0', '1.0')).toBe(0);
});

test.each([
  [0, 'PT0S'],
  [999.6, 'PT1S'],
  [61_500, 'PT1M1.5S'],
  [3_600_000, 'PT1H'],
  [90_061_001, 'PT25H1M1.001S'],
])('%d ms are %s', (ms, text) => expect(isoDuration(ms)).toBe(text));
