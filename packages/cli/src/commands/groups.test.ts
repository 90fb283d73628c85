import { expect, it } from 'vitest';
import { readEmails } from './groups.ts';

it('reads e-mails one on a line, or from the first column of a table, each once', () => {
  const text =
    'E-mail,Name\r\n"grace@example.com","Hopper, Grace"\n\n# left@example.com\nhedy@example.com\nhedy@example.com\n';
  expect(readEmails(text)).toEqual(['grace@example.com', 'hedy@example.com']);
  expect(readEmails('')).toEqual([]);
});
