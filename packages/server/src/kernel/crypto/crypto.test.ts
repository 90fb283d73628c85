import { argon2Sync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashPassword, randomBase62, sha256, toBase62, verifyPassword } from './crypto.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('sha256 is SHA-256 in base64url', () => {
  expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('random text has the requested length, and only letters and digits', () => {
  const text = randomBase62(10_000);
  expect(text).toMatch(/^[0-9A-Za-z]{10000}$/);
  expect(new Set(text).size).toBe(62);
  expect(randomBase62(30)).not.toBe(randomBase62(30));
});

test('base62 keeps a number, padded to its length', () => {
  expect(toBase62(0, 6)).toBe('000000');
  expect(toBase62(61, 2)).toBe('0z');
  expect(toBase62(62, 2)).toBe('10');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (number) => {
      const text = toBase62(number, 6);
      expect(text).toHaveLength(6);
      expect([...text].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0)).toBe(number);
    }),
  );
});

test('only the right password matches a hash', async () => {
  const stored = await hashPassword('correct horse battery', 'ada');
  expect(await verifyPassword('correct horse battery', stored, 'ada')).toBe(true);
  expect(await verifyPassword('correct horse batterY', stored, 'ada')).toBe(false);
  expect(await verifyPassword('', stored, 'ada')).toBe(false);
});

test('a hash is argon2id in PHC format, and salted', async () => {
  const [one, other] = await Promise.all([hashPassword('same password', 'ada'), hashPassword('same password', 'ada')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(one).not.toContain('same password');
});

test('normalizes Unicode in passwords', async () => {
  const stored = await hashPassword('Pässwort straße', 'ada');
  expect(await verifyPassword('Pa\u0308sswort straße', stored, 'ada')).toBe(true);
});

/** argon2id of "password" with the salt "somesaltsomesalt", 64 KiB, one pass. */
function cheapHash(): string {
  const salt = Buffer.from('somesaltsomesalt');
  const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: 'password', nonce: salt, ...cost });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=64,t=1,p=1$${text(salt)}$${text(tag)}`;
}

test('verifies a hash with another cost', async () => {
  expect(await verifyPassword('password', cheapHash(), 'ada')).toBe(true);
  expect(await verifyPassword('passwort', cheapHash(), 'ada')).toBe(false);
});

test.each([
  '',
  'correct horse battery',
  '$2b$10$abcdefghijklmnopqrstuv',
  '$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA',
  '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$AAAA',
])('no password matches the stored text %j', async (stored) => {
  expect(await verifyPassword('correct horse battery', stored, 'ada')).toBe(false);
});

test('limits checked and queued passwords, and refuses further ones until there is capacity', async () => {
  const cheap = cheapHash();
  const checks = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword('password', cheap, 'ada')));
  const refused = checks.filter((check) => check.status === 'rejected');
  const done = checks.filter((check) => check.status === 'fulfilled' && check.value);
  expect(done.length + refused.length).toBe(300);
  expect(done.length).toBeGreaterThan(100);
  expect(done.length).toBeLessThanOrEqual(103);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'ServiceUnavailable' });
  expect(await verifyPassword('password', cheap, 'ada')).toBe(true);
});
