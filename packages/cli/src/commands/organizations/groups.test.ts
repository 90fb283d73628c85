import { expect, it } from 'vitest';
import { readEmails } from './groups.ts';

it('reads unique emails from lines, or from the first column of a table', () => {
  const text =
    'Email,Name\r\n"grace@example.com","Hopper, Grace"\n\n# left@example.com\nhedy@example.com\nhedy@example.com\n';
  expect(readEmails(text)).toEqual(['grace@example.com', 'hedy@example.com']);
  expect(readEmails('')).toEqual([]);
});
