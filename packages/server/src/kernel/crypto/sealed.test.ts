import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundSign } from '../../../../../test-support/hostile-text.ts';
import { isSignedUntil, open, seal, signText, signUntil, verifyText } from './sealed.ts';

const [key, other] = [randomBytes(32), randomBytes(32)];

test('opens any sealed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: soundSign }), (text) => {
      expect(open(key, 'test', seal(key, 'test', text))).toBe(text);
    }),
  );
});

test('hides the text, and seals it differently each time', () => {
  const [first, second] = [seal(key, 'test', 'secret'), seal(key, 'test', 'secret')];
  expect(first).not.toBe(second);
  expect(Buffer.from(first.slice(3), 'base64url').includes('secret')).toBe(false);
});

test("can't be opened with another key or purpose", () => {
  const sealed = seal(key, 'test', 'secret');
  expect([open(other, 'test', sealed), open(key, 'else', sealed)]).toEqual([undefined, undefined]);
});

test('detects a change of any byte, and rejects malformed text', () => {
  const sealed = Buffer.from(seal(key, 'test', 'secret').slice(3), 'base64url');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(open(key, 'test', `v1.${changed.toString('base64url')}`)).toBeUndefined();
  }
  for (const text of ['', 'v1', 'v1.', 'v2.AAAA', `v2.${sealed.toString('base64url')}`, 'v1.AAAA']) {
    expect(open(key, 'test', text)).toBeUndefined();
  }
});

test('a signature is valid for its key, purpose and text only', () => {
  const signature = signText(key, 'test', 'text');
  expect(signature).toMatch(/^[\w-]{43}$/);
  expect(verifyText(key, 'test', 'text', signature)).toBe(true);
  expect(verifyText(other, 'test', 'text', signature)).toBe(false);
  expect(verifyText(key, 'else', 'text', signature)).toBe(false);
  expect(verifyText(key, 'test', 'texts', signature)).toBe(false);
  expect(verifyText(key, 'test', 'text', '')).toBe(false);
});

test('a signature is valid for its purpose and text until it expires', () => {
  const token = signUntil(key, { purpose: 'test', text: 'a.b', expiresAt: 1000.9 });
  expect(encodeURIComponent(token)).toBe(token);
  const holds = (change: object = {}, now = 999) =>
    isSignedUntil(key, { purpose: 'test', text: 'a.b', token, ...change }, now);
  expect([holds(), holds({}, 1000)]).toEqual([true, false]);
  const [end = '', signature = ''] = token.split('.');
  const later = (Number.parseInt(end, 36) + 1).toString(36);
  for (const change of [
    { purpose: 'else' },
    { text: 'a' },
    { token: '' },
    { token: `${later}.${signature}` },
    { token: `.${signature}` },
  ]) {
    expect(holds(change)).toBe(false);
  }
});
