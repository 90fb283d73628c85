import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { createToken, createUser, password } from '../harness/http.ts';
import { launcher } from '../harness/mooring.ts';

const { running, url, open } = testConsole();

beforeAll(async () => {
  await createUser(running(), (await createToken(running())).api_token, 'grace');
});

/** Starts `mooring login --device-code`, and waits until it shows its code. */
async function startLogin() {
  const config = mkdtempSync(path.join(tmpdir(), 'mooring-device-'));
  onTestFinished(() => rmSync(config, { recursive: true, force: true }));
  const program = spawn(process.execPath, [launcher, 'login', '--device-code', '--server', url()], {
    env: { ...process.env, MOORING_CONFIG_DIR: config, BROWSER: '/nonexistent/browser' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void program.kill());
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  }
  const exit = once(program, 'exit').then(([code]) => code as number);
  await expect.poll(() => /code ([A-Z]{4}-[A-Z]{4})\./.exec(output)?.[1], { timeout: 30_000 }).toBeTruthy();
  const code = /code ([A-Z]{4}-[A-Z]{4})\./.exec(output)?.[1] ?? '';
  return { code, exit, output: () => output, profiles: () => readFileSync(path.join(config, 'profiles.json'), 'utf8') };
}

test('signs in the command line with a code that a person enters and confirms', async () => {
  const login = await startLogin();
  const { page } = await open();
  await page.goto(url('/cli-login'));
  await page.getByLabel('Name or email').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill('BCDF-GHJK');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No such sign-in with this code').waitFor();
  await page.getByLabel('Code').fill(login.code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Mooring command line').waitFor();
  await page.getByRole('button', { name: 'Sign in this machine' }).click();
  await page.getByText('Return to the command line').waitFor();
  expect([await login.exit, login.output()]).toEqual([0, expect.stringContaining('as grace (profile "default")')]);
  const { token, token_id } = JSON.parse(login.profiles()).profiles.default;
  expect([token, token_id]).toEqual([expect.stringMatching(/^moor_u_/), expect.any(String)]);
  expect(login.output()).not.toContain(token);
});

test('reports that a person refused the code of a link, which does nothing by itself', async () => {
  const login = await startLogin();
  const { page } = await open();
  await page.goto(url(`/cli-login?code=${login.code}`));
  await page.getByLabel('Name or email').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(login.code).waitFor();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('the command line is not signed in').waitFor();
  expect([await login.exit, login.output()]).toEqual([3, expect.stringContaining('refused in the browser')]);
});
