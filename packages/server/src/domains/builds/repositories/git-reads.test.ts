import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { gitHost } from '../../../../test/harness/services/git.ts';
import { GitError, readHeads, withCommits } from './git.ts';

const packageFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`lib${at}/package.json`, `{"name":"lib${at}"}`]));

const readAs = (owner: string) => ({ config: { outboundAllow: ['127.0.0.0/8'] }, jobOwner: owner }) as never;

async function silentHost(): Promise<{ url: string; countRequests: () => number }> {
  let requestCount = 0;
  const server = createServer(() => {
    requestCount += 1;
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/compass.git`,
    countRequests: () => requestCount,
  };
}

async function withProject() {
  const app = await testApp('sqlite', { outboundAllow: ['127.0.0.0/8'] });
  const ada = await app.addUser('ada');
  await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const call = async (method: string, rest: string, body?: object) => {
    const response = await app.call(method, `/v0.1/apps/ada/compass/${rest}`, { token, ...(body ? { body } : {}) });
    return { status: response.statusCode, body: response.json() };
  };
  const host = await gitHost();
  // Like common hosts: blobs are sent only on request.
  execFileSync('git', ['-C', host.folder, 'config', 'uploadpack.allowFilter', 'true']);
  return { host, call };
}

const projects = 'branches/main/toolset_projects?os=Android&platform=Java';

test('reads 300 project files with as many requests as one', async () => {
  const { host, call } = await withProject();
  const requestsFor = async (files: Record<string, string>) => {
    host.push('main', files);
    const before = host.asked.length;
    const { body } = await call('GET', projects);
    return { requests: host.asked.length - before, found: body.javascript };
  };
  host.push('main', {});
  await call('POST', 'repo_config', { repo_url: host.url });
  const one = await requestsFor({ 'package.json': '{"dependencies":{"react-native":"0.76.1"}}' });
  const many = await requestsFor(packageFiles(299));
  expect(one.found.javascriptSolutions).toEqual([{ packageJsonPath: 'package.json', reactNativeVersion: '0.76.1' }]);
  expect(many.found.packageJsonPaths).toHaveLength(300);
  expect(many.found.javascriptSolutions[0]).toMatchObject({ reactNativeVersion: '0.76.1' });
  expect(many.requests).toBe(one.requests);
});

test('refuses to read thousands of project files, and says how to read fewer', async () => {
  const { host, call } = await withProject();
  host.push('main', { 'package.json': '{}', ...packageFiles(500) });
  await call('POST', 'repo_config', { repo_url: host.url });
  expect(await call('GET', projects)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/501 project files .*max 500.*maxSearchDepth/) },
  });
  const { body } = await call('GET', `${projects}&maxSearchDepth=1`);
  expect(body.javascript.packageJsonPaths).toEqual(['package.json']);
});

test('reads the repository of one owner while the hosts of another stay silent', async () => {
  const silent = await silentHost();
  const host = await gitHost();
  const sha = host.push('main', {});
  const request = new AbortController();
  const limits = { signal: request.signal };
  const hostile = Array.from({ length: 12 }, () => readHeads(readAs('hostile'), { url: silent.url }, limits));
  const ended = Promise.allSettled(hostile);
  expect(await readHeads(readAs('honest'), { url: host.url })).toEqual([{ branch: 'main', sha }]);
  await expect(readHeads(readAs('hostile'), { url: silent.url })).rejects.toThrow('too many repository reads');
  // Queued reads never reach the host; running ones end with their request.
  request.abort();
  for (const { status } of await ended) expect(status).toBe('rejected');
  expect(silent.countRequests()).toBeLessThanOrEqual(2);
});

test('starts no further command after its request has ended', async () => {
  const host = await gitHost();
  const sha = host.push('main', {});
  const request = new AbortController();
  const limits = { shas: [sha], filter: 'blob:none', signal: request.signal } as const;
  const read = withCommits(readAs('ada'), { url: host.url }, limits, async ({ listFiles }) => {
    request.abort();
    return listFiles(sha);
  });
  await expect(read).rejects.toThrow('Canceled');
});

test('has one deadline for all commands of a read', async () => {
  const host = await gitHost();
  const sha = host.push('main', {});
  const limits = { shas: [sha], filter: 'blob:none', deadline: performance.now() } as const;
  const read = withCommits(readAs('ada'), { url: host.url }, limits, async () => 'read');
  await expect(read).rejects.toEqual(new GitError('The repository did not respond within 60 s. Try again later.'));
  expect(host.asked).toEqual([]);
});
