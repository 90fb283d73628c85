import { expect, test } from 'vitest';
import { compareVersions } from './versions.ts';

test('sorts versions by number, previews before their release, and other text last', () => {
  const inOrder = ['0.9', '1.0.0-alpha', '1.0.0-beta', '1.0.0', '1.2', '1.10', '1.10.1', '2', '10.0', 'dev', 'unknown'];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
  expect(compareVersions('1.0', '1.0')).toBe(0);
});
