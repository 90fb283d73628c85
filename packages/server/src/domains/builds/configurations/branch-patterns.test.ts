import { expect, test } from 'vitest';
import { checkConfigured, closestPattern, matchesPattern } from './branch-patterns.ts';

test.each([
  ['release/*', 'release/1.4', true],
  ['release/*', 'release/1.4/hotfix', true],
  ['release/*', 'releases/1.4', false],
  ['*', 'anything', true],
  ['*-beta', '1.4-beta', true],
  ['*-beta', '1.4-beta2', false],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'abca', false],
  ['main', 'main', true],
])('%s on %s: %s', (pattern, branch, matches) => {
  expect(matchesPattern(pattern, branch)).toBe(matches);
});

test('compares the longest names and patterns quickly', () => {
  const pattern = `${'*a'.repeat(124)}*b`;
  expect(matchesPattern(pattern, 'a'.repeat(250))).toBe(false);
});

test('the matching pattern with the most literal characters wins', () => {
  const rows = ['*', 'release/*', 'release/1.*', 'x*'].map((branch) => ({ branch }));
  expect(closestPattern(rows, 'release/1.4')?.branch).toBe('release/1.*');
  expect(closestPattern(rows, 'release/2.0')?.branch).toBe('release/*');
  expect(closestPattern(rows, 'main')?.branch).toBe('*');
  expect(closestPattern(rows.slice(1, 3), 'main')).toBeUndefined();
});

test.each(['**', 'release/**', '-*', '%s is not a pattern', '*..*', 'x:*', '*.lock'])('%s is no pattern', (name) => {
  expect(() => checkConfigured(name)).toThrow();
});
