import { expect, it } from 'vitest';
import { readServiceAccount } from './service-account.ts';

const key = { client_email: 'play@example.com', private_key: 'PEM', private_key_id: '1' };

it('keeps only the credentials of a service account key', () => {
  expect(readServiceAccount(JSON.stringify({ ...key, type: 'service_account', project_id: 'x' }))).toEqual(key);
  expect(readServiceAccount(JSON.stringify({ client_email: 'a@b.c', private_key: 'PEM' }))).toEqual({
    client_email: 'a@b.c',
    private_key: 'PEM',
  });
});

it.each(['', 'PEM', '{}', 'null', '[]', '{"client_email":1,"private_key":"x"}'])('rejects %s', (text) => {
  expect(readServiceAccount(text)).toBeUndefined();
});
