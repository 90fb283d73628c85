import {
  createClient,
  releases_list,
  releaseUploads_put,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_take,
  runners_inviteForApp,
  runners_register,
} from '@mooring/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startGitHost } from '../../test-support/git-host.ts';
import { createApk } from '../../tools/samples/packages.ts';
import { testConsole } from '../harness/console.ts';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const { running, url, openAs } = testConsole({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' } });
const params = { owner_name: admin.name, app_name: 'tide' };
const tide = `/users/${admin.name}/apps/tide`;
const apk = createApk();
let host: Awaited<ReturnType<typeof startGitHost>>;
let token: string;

const request = async (method: string, rest: string, body?: object) => {
  const answer = await send(method, url(`/v0.1/apps${rest}`), { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};

/** Builds a package on a minimal runner, and releases the same package. */
async function buildAndRelease(): Promise<void> {
  const here = `/${admin.name}/tide`;
  await request('POST', `${here}/repo_config`, { repo_url: host.url });
  await request('POST', `${here}/branches/main/config`, { toolsets: { custom: { commands: ['make'] } } });
  await request('POST', `${here}/branches/main/builds`, {});
  const call = createClient({ baseUrl: url() });
  const { code } = await createClient({ baseUrl: url(), token })(runners_inviteForApp, { params, body: {} });
  const made = await call(runners_register, { body: { code, name: 'box' } });
  const job = await call(runnerJobs_take, { headers: { 'x-runner-token': made.token }, query: {}, body: {} });
  if (!job) throw new Error('No job is queued.');
  const own = { params: { job_id: job.id }, headers: { 'x-job-token': job.token } };
  const file = new Blob([new Uint8Array(apk)], { type: 'application/octet-stream' });
  const upload_id = '0191e6d2-7a3f-7c11-8a52-0d6e3b5f90c0';
  await call(runnerJobs_file, {
    ...own,
    params: { ...own.params, upload_id },
    query: { name: 'tide.apk', kind: 'build' },
    file,
  });
  await call(runnerJobs_finish, { ...own, body: { result: 'succeeded' } });
  const asAdmin = createClient({ baseUrl: url(), token });
  await asAdmin(releaseUploads_put, { params, query: { file_name: 'tide.apk' }, headers: {}, file });
  const countReleases = async () => (await asAdmin(releases_list, { params, query: {} })).length;
  await vi.waitFor(async () => expect(await countReleases()).toBe(1), { timeout: 60_000, interval: 200 });
}

beforeAll(async () => {
  host = await startGitHost();
  host.push('main', { 'build.sh': 'make' });
  token = (await createToken(running())).api_token;
  await request('POST', '', { name: 'tide', display_name: 'Tide', os: 'Android', platform: 'Java' });
  await buildAndRelease();
});
afterAll(() => host.stop());

/** Drags a file over the page, waits until the page is ready for it, and drops it. */
async function dropOn(page: Page, name: string, content: Uint8Array | string): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const dataTransfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    [name, [...bytes]] as const,
  );
  const main = page.getByRole('main');
  await main.dispatchEvent('dragenter', { dataTransfer });
  await page.getByText('Drop files anywhere').waitFor();
  await main.dispatchEvent('drop', { dataTransfer });
}

test('follows a release to its build and back', async () => {
  const { page, observed } = await openAs(admin.name, `${tide}/releases/1`, admin.password);
  const story = page.getByRole('region', { name: 'Release story' });
  await story.getByText('Not distributed').waitFor();
  // Without devices there is no verdict.
  expect(await story.getByText(/health(y|ier)/).count()).toBe(0);
  await story.getByRole('link', { name: 'Build 1' }).click();
  await page.getByRole('heading', { name: 'Build 1', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Release 1', exact: true }).waitFor();
  expect(await page.getByText('mooring builds watch').count()).toBe(0);
  await page.getByRole('region', { name: 'Release story' }).getByRole('link', { name: '1.4.0', exact: true }).click();
  await page.getByRole('heading', { name: '1.4.0 (140)' }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('recognizes a mapping that is dropped on any page', async () => {
  const { page, observed } = await openAs(admin.name, tide, admin.password);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await dropOn(page, 'download.txt', '# compiler: R8\nexample.Tide -> a.a:\n    void rise() -> a\n');
  const dialog = page.getByRole('dialog', { name: 'Upload symbols' });
  await dialog.getByText('R8 or ProGuard mapping').waitFor();
  expect(await dialog.getByRole('combobox', { name: 'App' }).inputValue()).toContain('Tide');
  // The newest release is suggested.
  await expect.poll(() => dialog.getByLabel('Version').inputValue()).toBe('1.4.0');
  await dialog.getByRole('button', { name: 'Upload symbols' }).click();
  await dialog.getByText('Uploaded; processing').waitFor();
  await dialog
    .getByText(/Reading the symbols|Symbolicating|symbolicated/)
    .first()
    .waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('recognizes a package and a test report, and says what it does not know', async () => {
  const { page, observed } = await openAs(admin.name, '/', admin.password);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await dropOn(page, 'notes.txt', 'Bring bread.');
  const unknown = page.getByRole('dialog', { name: 'Unknown file' });
  await unknown.getByRole('button', { name: 'Close', exact: true }).click();
  await dropOn(page, 'app.zip', new Uint8Array(createApk({ version: 141, shortVersion: '1.5.0' })));
  const release = page.getByRole('dialog', { name: 'Upload release' });
  await release.getByText('Package (.apk)').waitFor();
  await release.getByRole('button', { name: 'Cancel' }).click();
  await dropOn(page, 'report.xml', '<testsuite name="a"><testcase name="b" time="1"/></testsuite>');
  const report = page.getByRole('dialog', { name: 'Import test report' });
  await report.getByLabel('Test series (optional)').fill('nightly');
  await report.getByRole('button', { name: 'Import test report' }).click();
  await report.getByText('1 passed, 0 failed').waitFor();
  await report.getByRole('button', { name: 'Open test run' }).click();
  await page.getByRole('heading', { name: 'nightly', level: 1 }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});
