import { expect, test } from 'vitest';
import { guessPasswords } from './guessing.ts';
import { checkHeaders } from './headers.ts';

test('every kind of answer has the headers that protect whoever reads it', async () => {
  await expect(checkHeaders()).resolves.toContain('kinds of answers');
});

test('guesses of a password are held to the published rate, from however many connections they come', async () => {
  await expect(guessPasswords('postgres', 3)).resolves.toContain('refused with 429');
});
