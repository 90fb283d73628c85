import { expect, test } from 'vitest';
import { checkHeaders } from './headers.ts';
import { guessPasswords } from './password-guessing.ts';

test('every kind of response has the headers that protect its reader', async () => {
  await expect(checkHeaders()).resolves.toContain('kinds of responses');
});

test('password guesses are limited to the published rate, from any number of connections', async () => {
  await expect(guessPasswords('postgres', 3)).resolves.toContain('refused with 429');
});
