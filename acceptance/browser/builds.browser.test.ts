import { readFileSync } from 'node:fs';
import {
  createClient,
  runnerJobs_finish,
  runnerJobs_log,
  runnerJobs_take,
  runners_inviteForApp,
  runners_register,
} from '@mooring/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGitHost } from '../../test-support/git-host.ts';
import { testConsole } from '../harness/console.ts';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const { running, url, openAs } = testConsole({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' } });
const params = { owner_name: admin.name, app_name: 'tide' };
const builds = `/users/${admin.name}/apps/tide/builds`;
let host: Awaited<ReturnType<typeof startGitHost>>;
let token: string;

const request = async (method: string, rest: string, body?: object) => {
  const answer = await send(method, url(`/v0.1/apps${rest}`), { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
};

/** A minimal runner: takes the next job, writes its log and finishes it. */
async function takeJob() {
  const call = createClient({ baseUrl: url() });
  const { code } = await createClient({ baseUrl: url(), token })(runners_inviteForApp, { params, body: {} });
  const made = await call(runners_register, { body: { code, name: 'box' } });
  const job = await call(runnerJobs_take, { headers: { 'x-runner-token': made.token }, query: {}, body: {} });
  if (!job) throw new Error('No job is queued.');
  const own = { params: { job_id: job.id }, headers: { 'x-job-token': job.token } };
  let offset = 0;
  return {
    async write(text: string) {
      offset = (await call(runnerJobs_log, { ...own, query: { offset }, body: Buffer.from(text) })).size;
    },
    succeed: () => call(runnerJobs_finish, { ...own, body: { result: 'succeeded' } }),
  };
}

beforeAll(async () => {
  host = await startGitHost();
  host.push('main', { 'build.sh': 'make' });
  token = (await createToken(running())).api_token;
  await request('POST', '', { name: 'tide', display_name: 'Tide', os: 'Android', platform: 'Java' });
  await request('POST', `/${admin.name}/tide/repo_config`, { repo_url: host.url });
});
afterAll(() => host.stop());

test('configures a branch by form and YAML, queues a build and follows its log', async () => {
  const { page, observed } = await openAs(admin.name, `${builds}/branches/main/configuration`, admin.password);
  await page.getByLabel('Toolset').first().click();
  await page.getByRole('option', { name: /commands/i }).click();
  await page.getByLabel('Commands').fill('bash build.sh');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved build configuration of main.').waitFor();
  await page.goto(url(`${builds}/branches/main/configuration`));
  await page.getByText('YAML', { exact: true }).click();
  await expect
    .poll(() => page.getByRole('textbox').first().inputValue())
    .toMatch(/custom:\s+commands:\s+- bash build\.sh/);

  await page.goto(url(builds));
  await page.getByRole('button', { name: 'Build main' }).click();
  await page.getByRole('heading', { name: 'Build 1' }).waitFor();
  const job = await takeJob();
  await job.write('== Sources\ncloned\n== Build: bash build.sh\n\u001b[31mnot north\u001b[0m\n');
  const log = page.getByRole('region', { name: 'Log' });
  await log.getByRole('button', { name: /^Build: bash build\.sh/ }).waitFor();
  expect(await log.getByText('not north').getAttribute('style')).toContain('var(--c1)');
  await page.getByText('Live', { exact: true }).waitFor();
  await job.write(Array.from({ length: 400 }, (_, at) => `step ${at + 1}\n`).join(''));
  await log.getByText('step 400', { exact: true }).waitFor();
  await job.succeed();
  await page.getByText('Live', { exact: true }).waitFor({ state: 'detached' });

  // Only the last stage of a long log is open.
  const sources = log.getByRole('button', { name: /^Sources/ });
  await page.getByLabel('Search log').fill('cloned');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await expect.poll(() => sources.getAttribute('aria-expanded')).toBe('true');
  await log.getByText('cloned', { exact: true }).waitFor();
  await page.getByLabel('Search log').fill('');
  await log.getByRole('link', { name: 'Link to line 2', exact: true }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#L2');
  await page.goto(url(`${builds}/1#L200`));
  await page.reload();
  await log.getByRole('link', { name: 'Link to line 200', exact: true }).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download log', exact: true }).click();
  const saved = readFileSync(await (await coming).path(), 'utf8').split('\n');
  expect(saved.slice(0, 5)).toEqual(['== Sources', 'cloned', '== Build: bash build.sh', 'not north', 'step 1']);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test.each(['users', 'orgs'])('opens a build by the link under %s that appcenter-cli prints', async (owners) => {
  await request('POST', `/${admin.name}/tide/branches/main/builds`, {});
  const link = `/${owners}/${admin.name}/apps/tide/build/branches/${encodeURIComponent('feature/north')}/builds/1`;
  const { page, observed } = await openAs(admin.name, link, admin.password);
  await page.getByRole('heading', { name: 'Build 1', exact: true }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});
