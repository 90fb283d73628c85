import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { createToken, createUser, password } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const { running, url, open, openAs } = testConsole();

beforeAll(async () => {
  await createUser(running(), (await createToken(running())).api_token, 'grace');
});

/** An authenticator app, written for this test: RFC 6238 with a secret in Base32. */
function readCode(secret: string, offset = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = 0n;
  for (const letter of secret) bits = (bits << 5n) | BigInt(alphabet.indexOf(letter));
  const key = Buffer.from(bits.toString(16).padStart((secret.length * 5) / 4, '0'), 'hex');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + offset));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

async function enterPassword(page: Page): Promise<void> {
  await page.goto(url('/sign-in?next=/orgs'));
  await page.getByLabel('Name or email').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signInWith(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a user sets up an app, signs in with codes, loses it, and an administrator turns it off', async () => {
  const { page, observed } = await openAs('grace', '/settings/profile');
  await page.getByRole('button', { name: 'Set up second factor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
  await dialog.getByRole('textbox', { name: 'Code' }).fill(readCode(secret));
  await dialog.getByRole('button', { name: 'Turn on second factor' }).click();
  const codes = (await dialog.getByLabel('Recovery codes', { exact: true }).inputValue()).split(' ');
  expect(codes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByText('You have 10 unused recovery codes').waitFor();

  const other = (await open()).page;
  await enterPassword(other);
  await other.getByText('This account needs a code').waitFor();
  await signInWith(other, '000000');
  await other.getByText('The code is wrong').waitFor();
  // The code of the next step is accepted, too, and was not used yet.
  await signInWith(other, readCode(secret, 1));
  await other.getByRole('heading', { name: 'Organizations' }).waitFor();

  const recovery = (await open()).page;
  await enterPassword(recovery);
  await signInWith(recovery, codes[0] ?? '');
  await recovery.getByRole('heading', { name: 'Organizations' }).waitFor();

  const office = (await openAs(admin.name, '/admin/users', admin.password)).page;
  await office.getByRole('button', { name: 'Actions for grace' }).click();
  await office.getByRole('menuitem', { name: 'Turn off second factor' }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Turn off second factor' }).click();
  await office.getByRole('dialog').waitFor({ state: 'detached' });
  const again = (await open()).page;
  await enterPassword(again);
  await again.getByRole('heading', { name: 'Organizations' }).waitFor();
  expect(observed.complaints).toEqual([]);
});
