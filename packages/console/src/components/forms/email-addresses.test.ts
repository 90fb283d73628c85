import { expect, test } from 'vitest';
import { readAddresses } from './email-addresses.ts';

test.each([
  ['ada@example.com', ['ada@example.com']],
  [
    'ada@example.com, grace@example.com;linus@example.com',
    ['ada@example.com', 'grace@example.com', 'linus@example.com'],
  ],
  ['Ada Lovelace <ada@example.com>\r\n"Hopper, Grace" <grace@example.com>', ['ada@example.com', 'grace@example.com']],
  ['name,e-mail\nAda,ada@example.com\nGrace,grace@example.com', ['ada@example.com', 'grace@example.com']],
  ['Ada\tada@example.com', ['ada@example.com']],
  ['ada@example.com grace@example.com', ['ada@example.com', 'grace@example.com']],
  ['ADA@example.com\nada@example.com', ['ada@example.com']],
  ['grace+north@sub.example.co.uk', ['grace+north@sub.example.co.uk']],
  ['"ada@example.com","Ada"', ['ada@example.com']],
  ['"ada@example.com, grace@example.com', ['ada@example.com', 'grace@example.com']],
  ['', []],
])('extracts addresses from %j: %j', (text, valid) => {
  expect(readAddresses(text)).toEqual({ valid, invalid: [] });
});

test.each([
  ['ada@example.com\nnobody\n\n', ['nobody']],
  ['ada@example.com, grace@, linus@example', ['grace@', 'linus@example']],
  ['ada@example.com; nobody; grace@@example.com', ['nobody', 'grace@@example.com']],
  ['ada@example.com; Ada <not an address>', ['not an address']],
  ['ada@example.com twice@example twice@example', ['twice@example']],
])('reports of %j only %j as invalid', (text, invalid) => {
  expect(readAddresses(text)).toEqual({ valid: ['ada@example.com'], invalid });
});

test('checks 100,000 entries quickly', () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `a${at}@example.com`).join(',');
  expect(readAddresses(text).valid.length).toBe(100_000);
  const hostile = `${'"'.repeat(50_000)}${'<'.repeat(50_000)}`;
  expect(readAddresses(hostile).valid).toEqual([]);
});
