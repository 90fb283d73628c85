import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { createToken, createUser, password } from '../harness/http.ts';

/** Passkeys need the public address of the server, so its port must be known before it starts. */
const port = await new Promise<number>((done) => {
  const listener = createServer().listen(0, '127.0.0.1', () => {
    const { port } = listener.address() as { port: number };
    listener.close(() => done(port));
  });
});
const address = `http://localhost:${port}`;
const { running, open } = testConsole({
  env: { MOORING_HTTP_PORT: String(port), MOORING_PUBLIC_URL: address },
});

beforeAll(async () => {
  await createUser(running(), (await createToken(running())).api_token, 'grace');
});

/** Adds an authenticator to a page. It verifies its owner, as a phone does. */
async function addAuthenticator(page: Page): Promise<(isVerified: boolean) => Promise<unknown>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  return (enabled) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
}

async function signInByPassword(page: Page): Promise<void> {
  await page.goto(`${address}/sign-in?next=/settings/profile`);
  await page.getByLabel('Name or email').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
}

test('a user adds a passkey, signs in with it, renames and removes it', async () => {
  const { page } = await open();
  const setPresent = await addAuthenticator(page);
  await page.addInitScript(() => {
    const requested: unknown[] = [];
    Object.assign(window, { requested });
    PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
      requested.push(options?.mediation);
      return get(options);
    };
  });
  await signInByPassword(page);
  await setPresent(true);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Phone');
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  const listed = page.getByRole('list', { name: 'Passkeys' });
  await listed.getByText('Phone').waitFor();

  // By the button.
  await setPresent(false);
  await page.context().clearCookies();
  await page.goto(`${address}/sign-in?next=/settings/profile`);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.waitFor();
  // The suggestions of the name field need a click of a person, which no test can make.
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'requested'))).toEqual(['conditional']);
  await setPresent(true);
  await button.click();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await listed.getByText('moments ago').waitFor();

  await page.getByRole('button', { name: 'Rename Phone' }).click();
  await dialog.getByLabel('Name').fill('Work phone');
  await dialog.getByRole('button', { name: 'Rename passkey' }).click();
  await page.getByRole('button', { name: 'Remove Work phone' }).click();
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await listed.getByText('Work phone').waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
});
