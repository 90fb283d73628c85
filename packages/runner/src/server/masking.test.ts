import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMask } from './masking.ts';

test('masks a secret in every encoding', () => {
  const mask = createMask(['open sesame', '-----KEY-----\nabcdef\n-----END-----', 'abc']);
  expect(mask('say open sesame twice: open sesame')).toBe('say *** twice: ***');
  expect(mask('abcdef')).toBe('***');
  expect(mask('of three letters: abc')).toBe('of three letters: abc');
  expect(mask('curl https://x/open%20sesame')).toBe('curl https://x/***');
});

test('masks a secret at any position in base64', () => {
  expect(createMask(['correct horse'])('Y29ycmVjdCBob3JzZQ==')).toBe('***');
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (before, after) => {
      const encoded = Buffer.from(`${before}correct horse battery${after}`).toString('base64');
      expect(createMask(['correct horse battery'])(encoded)).toContain('***');
    }),
  );
});
