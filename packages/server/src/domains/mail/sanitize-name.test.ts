import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundSign } from '../../../../../test-support/hostile-text.ts';
import { sanitizeName } from './mails.ts';

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ["Zoë O'Brien-Łuk (R&D), Jr.", "Zoë O'Brien-Łuk (R&D), Jr."],
  ['the app ada/compass', 'the app ada/compass'],
  ['J. R. Smith', 'J. R. Smith'],
  ['Sign in at https://evil.example/login now', 'Sign in at https evil example/login now'],
  ['evil.example', 'evil example'],
  ['www.evil.example', 'www evil example'],
  ['//evil.example', 'evil example'],
  ['mail eve@evil.example', 'mail eve evil example'],
  ['<a href="x">y</a>', 'a href x y a'],
  ['a\r\nBcc: b\u2028c\u0000d', 'a Bcc b c d'],
  ['evil\u200b.example', 'evil example'],
  ['evil\uff0eexample', 'evil example'],
  ['日本丸 ⚓', '日本丸'],
  ['x'.repeat(200), `${'x'.repeat(59)}…`],
])('%j is written as %j', (name, written) => {
  expect(sanitizeName(name)).toBe(written);
});

const linkLike = fc.constantFrom(
  '.',
  '/',
  ':',
  '//',
  '://',
  '@',
  '<',
  '"',
  '\n',
  '\u2028',
  'https',
  'www',
  'evil',
  'com',
  ' ',
);

test('no part of a name becomes an address', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(linkLike, fc.string({ unit: soundSign }))).map((parts) => parts.join('')),
      (name) => {
        expect(sanitizeName(name)).not.toMatch(/[:@<>"\p{Cc}\p{Zl}\p{Zp}]|\S\.\S|\/\/|^\//u);
      },
    ),
  );
});
