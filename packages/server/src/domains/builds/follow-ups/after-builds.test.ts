import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { gitHost } from '../../../../test/harness/services/git.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { readRepositoryUrl, repositoryName } from '../repositories/repository-urls.ts';
import { statusApis } from './commit-status.ts';

const sha = 'a'.repeat(40);
const custom = { toolsets: { custom: { commands: ['make'] } } };

async function withBuilds(
  dialect: DialectName,
  repository: object = { repo_url: 'https://localhost/ada/compass.git' },
) {
  const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'], publicUrl: 'https://mooring.example.com' });
  const ada = await app.addUser('ada');
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const send = async (method: string, rest: string, body?: unknown, headers = {}) =>
    (
      await app.call(method, `/v0.1/apps/ada/compass${rest && `/${rest}`}`, {
        token,
        headers,
        ...(body ? { body } : {}),
      })
    ).json();
  await send('POST', 'repo_config', repository);
  const { code } = await send('POST', 'runners/codes', {});
  const made = (await app.call('POST', '/v0.1/runners', { body: { code, name: 'box' } })).json();
  const headers = { 'x-runner-token': made.token };
  /** Queues and finishes a build of a branch. */
  const build = async (branch: string, end: object) => {
    await send('POST', `branches/${branch}/builds`, { sourceVersion: sha });
    const job = (await app.call('POST', '/v0.1/runner/jobs?wait=0', { headers, body: {} })).json();
    const own = { 'x-job-token': job.token };
    await app.call('POST', `/v0.1/runner/jobs/${job.id}/finish`, { headers: own, body: end });
  };
  return { app, compass, send, build };
}

eachDatabase('after a build', (dialect) => {
  test('announces the result of the build and of the previous build', async () => {
    const { app, send, build } = await withBuilds(dialect);
    await send('POST', 'branches/main/config', custom);
    await send('PATCH', '', { icon_url: 'https://example.com/compass.png' });
    await build('main', { result: 'failed', reason: 'make: no rule' });
    await build('main', { result: 'succeeded' });
    const rows = await app.database.query((q) => q.selectFrom('announcements').selectAll().orderBy('id'));
    expect(rows.map(({ type, data }) => [type, JSON.parse(data)])).toMatchObject([
      ['buildFinished', { build_id: '1', build_status: 'Failed', failure: 'make: no rule', build_reason: 'manual' }],
      [
        'buildFinished',
        {
          build_id: '2',
          build_status: 'Succeeded',
          previous_status: 'Failed',
          branch: 'main',
          source_version: sha,
          url: 'https://mooring.example.com/users/ada/apps/compass/builds/2',
          start_time: expect.stringMatching(/Z$/),
          os: 'Android',
          icon_link: 'https://example.com/compass.png',
          notification_settings_link: 'https://mooring.example.com/users/ada/apps/compass/notifications',
        },
      ],
    ]);
  });

  test('shows a badge with the last result for branches that enable it', async () => {
    const { app, compass, send, build } = await withBuilds(dialect);
    await send('POST', 'branches/main/config', { ...custom, badgeIsEnabled: true });
    await send('POST', 'branches/quiet/config', custom);
    const badge = async (branch: string, id = compass.id) => {
      const { statusCode, headers, body } = await app.call('GET', `/v0.1/apps/${id}/branches/${branch}/badge`);
      return statusCode === 200 ? [headers['content-type'], /<title>([^<]+)/.exec(body)?.[1]] : statusCode;
    };
    const shown = (label: string) => [expect.stringContaining('image/svg+xml'), `build: ${label}`];
    expect(await badge('main')).toEqual(shown('not built'));
    await build('main', { result: 'failed' });
    expect(await badge('main')).toEqual(shown('failing'));
    await build('main', { result: 'succeeded' });
    await build('main', { result: 'canceled' });
    expect(await badge('main')).toEqual(shown('passing'));
    expect([await badge('quiet'), await badge('none'), await badge('main', 'none')]).toEqual([404, 404, 404]);
  });
});

test('reports the commit status with the credentials of the repository, and not without credentials', async () => {
  const reported: unknown[] = [];
  const host = createServer(async (request, response) => {
    reported.push([request.method, request.url, request.headers.authorization, JSON.parse(await text(request))]);
    response.writeHead(201).end('{}');
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  onTestFinished(() => void host.close());
  const repo_url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/ada/compass.git`;
  const { app, send, build } = await withBuilds('sqlite', { repo_url, username: 'ada', password: 'sesame' });
  await send('POST', 'branches/main/config', custom);
  await build('main', { result: 'failed', reason: 'make: no rule' });
  await app.runJobs();
  expect(reported.at(-1)).toEqual([
    'POST',
    `/api/v1/repos/ada/compass/statuses/${sha}`,
    'token sesame',
    {
      state: 'failure',
      context: 'mooring',
      description: 'Build 1: make: no rule',
      target_url: 'https://mooring.example.com/users/ada/apps/compass/builds/1',
    },
  ]);
  expect(await app.logged()).not.toContain('sesame');
  const xml = Buffer.from('<testsuite name="A"><testcase name="b"><failure/></testcase></testsuite>');
  await send('POST', 'test_runs/import?build_id=1', xml, { 'content-type': 'application/xml' });
  await app.runJobs();
  expect(reported.at(-1)).toMatchObject([
    'POST',
    `/api/v1/repos/ada/compass/statuses/${sha}`,
    'token sesame',
    { state: 'failure', context: 'mooring/tests', description: 'Tests of build 1 failed' },
  ]);
  reported.length = 0;
  await send('POST', 'repo_config', { repo_url: repo_url.replace('compass', 'other') });
  await build('main', { result: 'succeeded' });
  await app.runJobs();
  expect(reported).toEqual([]);
});

const pair = `Basic ${Buffer.from('ada:sesame').toString('base64')}`;
const page = 'https://mooring.example.com/builds/7';
const ofAzure = { state: 'failed', context: { name: 'mooring' }, targetUrl: page };

test.each([
  [
    'https://github.com/ada/compass.git',
    `https://api.github.com/repos/ada/compass/statuses/${sha}`,
    { authorization: 'Bearer sesame' },
    { state: 'failure', context: 'mooring', target_url: page },
  ],
  [
    'https://gitlab.example.com/team/ada/compass.git',
    `https://gitlab.example.com/api/v4/projects/team%2Fada%2Fcompass/statuses/${sha}`,
    { 'private-token': 'sesame' },
    { state: 'failed', name: 'mooring', target_url: page },
  ],
  [
    'https://bitbucket.org/ada/compass.git',
    `https://api.bitbucket.org/2.0/repositories/ada/compass/commit/${sha}/statuses/build`,
    { authorization: pair },
    { state: 'FAILED', key: 'mooring', url: page },
  ],
  [
    'https://dev.azure.com/harbour/Sea%20Side/_git/compass',
    `https://dev.azure.com/harbour/Sea%20Side/_apis/git/repositories/compass/commits/${sha}/statuses?api-version=7.1`,
    { authorization: pair },
    ofAzure,
  ],
  [
    'https://dev.azure.com/harbour/_git/compass',
    `https://dev.azure.com/harbour/compass/_apis/git/repositories/compass/commits/${sha}/statuses?api-version=7.1`,
    { authorization: pair },
    ofAzure,
  ],
  [
    'https://harbour.visualstudio.com/_git/compass',
    `https://harbour.visualstudio.com/compass/_apis/git/repositories/compass/commits/${sha}/statuses?api-version=7.1`,
    { authorization: pair },
    ofAzure,
  ],
])('reports the commit status to %s through its documented API', (repository, address, credentials, body) => {
  const { url, type } = readRepositoryUrl(repository);
  const made = statusApis[type]?.({
    ...{ url: new URL(url), name: repositoryName(url), context: 'mooring', sha, state: 'failed' },
    ...{ page, description: 'Build 7: failed', user: 'ada', token: 'sesame' },
  });
  expect([made?.url, made?.headers, JSON.parse(String(made?.body))]).toEqual([
    address,
    expect.objectContaining(credentials),
    { ...body, description: 'Build 7: failed' },
  ]);
});

test('reads all unknown commits with one command', async () => {
  const host = await gitHost();
  const commits = ['one', 'two', 'three'].map((branch) =>
    host.push(branch, { [branch]: '1' }, `On ${branch}\n\nand on`),
  );
  const { send } = await withBuilds('sqlite', { repo_url: host.url });
  const read = async (shas: string[]) => {
    host.asked.length = 0;
    const messages = (await send('GET', `commits/batch?hashes=${shas.join()}`)).map(
      ({ commit }: { commit: { message: string } }) => commit.message,
    );
    return { messages, requests: host.asked.length };
  };
  const first = await read(commits.slice(0, 1));
  expect(first.messages).toEqual(['On one\n\nand on']);
  expect(await read(commits.slice(1))).toEqual({
    messages: ['On two\n\nand on', 'On three\n\nand on'],
    requests: first.requests,
  });
  expect(await read(commits)).toMatchObject({ requests: 0 });
});
