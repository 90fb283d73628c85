import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isToken, mintToken, tokenPattern } from './token-value.ts';

test.each(['user', 'app'] as const)('a minted %s token is well-formed and carries its kind', (kind) => {
  const { value, hash, lastFour } = mintToken(kind);
  expect(value).toMatch(tokenPattern);
  expect(value.startsWith(kind === 'user' ? 'moor_u_' : 'moor_a_')).toBe(true);
  expect(isToken(value)).toBe(true);
  expect(lastFour).toBe(value.slice(-4));
  expect(hash).not.toContain(value);
});

test('SECURITY.md contains the regular expression for secret scanners', () => {
  const text = readFileSync(new URL('../../../../../SECURITY.md', import.meta.url), 'utf8');
  expect(text).toContain(tokenPattern.source.slice(1, -1));
});

test('no two tokens are alike', () => {
  const values = new Set(Array.from({ length: 1000 }, () => mintToken('user').value));
  expect(values.size).toBe(1000);
});

test('detects a change of any character without a database lookup', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const { value } = mintToken('app');
  fc.assert(
    fc.property(fc.integer({ min: 7, max: value.length - 1 }), fc.constantFrom(...alphabet), (at, character) => {
      fc.pre(value[at] !== character);
      expect(isToken(value.slice(0, at) + character + value.slice(at + 1))).toBe(false);
    }),
  );
});

test.each(['', 'moor_u_', 'moor_x_'.padEnd(43, 'a'), 'a'.repeat(40), ` ${mintToken('user').value}`, '\0'])(
  'refuses %j',
  (value) => {
    expect(isToken(value)).toBe(false);
  },
);
