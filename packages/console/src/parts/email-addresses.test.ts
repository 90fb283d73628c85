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
  ['ADA@example.com\nada@example.com', ['ada@example.com']],
  ['grace+north@sub.example.co.uk', ['grace+north@sub.example.co.uk']],
  ['', []],
])('%j holds the addresses %j', (text, valid) => {
  expect(readAddresses(text)).toEqual({ valid, others: [] });
});

test('what is no address is told', () => {
  expect(readAddresses('ada@example.com\nnobody\n\n')).toEqual({ valid: ['ada@example.com'], others: ['nobody'] });
});
