import { expect, test } from 'vitest';
import { findSecrets, listForms } from './secret-search.ts';
import { lookForSecrets } from './secrets.ts';

test.each(['stored', 'sent'] as const)(
  'no used secret is found in a place where it must not be stored (emails are %s)',
  async (mail) => {
    await expect(lookForSecrets('sqlite', mail)).resolves.toContain('none found in a wrong place');
  },
);

test('the search finds a secret in all encodings, anywhere in a text', () => {
  const value = 'moor_u_Zk3v9x1fq7Lr2mT8bYcW5nH0sJdG4aPeUo6i';
  const spelt = [
    value,
    encodeURIComponent(`"${value}"`),
    Buffer.from(value).toString('hex'),
    ...['', 'a', 'ab', 'abc'].map((before) => Buffer.from(`${before}${value}, and more`).toString('base64')),
    ...['', 'a', 'ab', 'abc'].map((before) => Buffer.from(`${before}${value}`).toString('base64url')),
  ];
  const texts = spelt.map((text, at) => ({ name: String(at), bytes: Buffer.from(`... ${text} ...`) }));
  expect(findSecrets([{ kind: 'token', value }], texts).leaks).toHaveLength(spelt.length);
  expect(findSecrets([{ kind: 'token', value: value.replace('T8b', 'T9b') }], texts).leaks).toEqual([]);
  expect(listForms(value).every((form) => form.length >= 30)).toBe(true);
});
