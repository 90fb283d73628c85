import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { isWebhookSecret, newWebhookSecret, signWebhook } from './signature.ts';

const id = '0190f9f0-7c3e-7000-8000-000000000001';
const body = JSON.stringify({ id, data: 'Mail is slow ♥' });

// The receiver's library compares with the real clock and accepts five minutes.
const now = () => Date.now();

test('a receiver with the secret accepts the message', () => {
  const secret = newWebhookSecret();
  const headers = signWebhook({ id: id, at: now(), body, secrets: [secret] });
  expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('receivers with the old or the new secret accept messages during a rotation', () => {
  const [old, young, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const headers = signWebhook({ id: id, at: now(), body, secrets: [young, old] });
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const secret of [old, young]) expect(new Webhook(secret).verify(body, headers)).toBeDefined();
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
});

test('a receiver refuses another body, ID or time, and old messages', () => {
  const secret = newWebhookSecret();
  const receiver = new Webhook(secret);
  const at = now();
  const headers = signWebhook({ id: id, at, body, secrets: [secret] });
  expect(() => receiver.verify(`${body} `, headers)).toThrow();
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'another' })).toThrow();
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(() => receiver.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow();
  const old = signWebhook({ id: id, at: at - 600_000, body, secrets: [secret] });
  expect(() => receiver.verify(body, old)).toThrow('too old');
});

test("matches the library's signatures for any body and key", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      fc.integer({ min: 0, max: 4_000_000_000_000 }),
      (text, key, at) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const headers = signWebhook({ id: id, at, body: text, secrets: [secret] });
        expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(id, new Date(at), text));
      },
    ),
  );
});

test('secrets are well-formed and unique', () => {
  const secrets = new Set(Array.from({ length: 100 }, newWebhookSecret));
  expect(secrets.size).toBe(100);
  expect([...secrets].every(isWebhookSecret)).toBe(true);
});

const bytes = (count: number) => Buffer.alloc(count, 1).toString('base64');

test.each(['', 'whsec_', bytes(32), `whsec_${bytes(23)}`, `whsec_${bytes(65)}`, `whsec_${bytes(32)}!`, 'whsec_*'])(
  'signs nothing with the secret %j',
  (secret) => {
    expect(isWebhookSecret(secret)).toBe(false);
    expect(() => signWebhook({ id: 'x', at: 0, body, secrets: [secret] })).toThrow('24 to 64 bytes');
  },
);

test('sends nothing unsigned', () => {
  expect(() => signWebhook({ id: 'x', at: 0, body, secrets: [] })).toThrow('needs a secret');
});
