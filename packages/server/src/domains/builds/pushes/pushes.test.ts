import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { gitHost } from '../../../../test/harness/services/git.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { isSkipped, readPushes } from './push-payloads.ts';
import { isSigned } from './push-signatures.ts';
import { pollRepositories, queueWaiting } from './pushes.ts';

const sha = 'a'.repeat(40);
const none = '0'.repeat(40);
const line = (branch: string, commit = sha) => `${none} ${commit} refs/heads/${branch}\n`;
const settings = (trigger: string) => ({ trigger, toolsets: { custom: { commands: ['make'] } } });

async function withHook(dialect: DialectName, more = {}, url = 'https://localhost/ada/compass.git') {
  const app = await testApp(dialect, {
    outboundAllow: ['127.0.0.0/8'],
    publicUrl: 'https://mooring.example.com',
    ...more,
  });
  const ada = await app.addUser('ada');
  await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const request = async (method: string, rest: string, body?: unknown) => {
    const response = await app.call(method, `/v0.1/apps/ada/compass/${rest}`, { token, ...(body ? { body } : {}) });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  await request('POST', 'repo_config', { repo_url: url });
  await request('POST', 'branches/main/config', settings('continuous'));
  const makeHook = async () =>
    (await request('POST', 'repo_config/push_hook', {})).body as { url: string; secret: string };
  const send = async (hook: { url: string }, headers: Record<string, string>, body: string, type = 'text/plain') => {
    const response = await app.call('POST', new URL(hook.url).pathname, {
      headers: { 'content-type': type, ...headers },
      body: Buffer.from(body),
    });
    return { status: response.statusCode, body: response.json() };
  };
  return { app, ada, request, makeHook, send };
}

eachDatabase('pushes', (dialect) => {
  test('queue builds of branches with a continuous trigger, once per commit', async () => {
    const { app, request, makeHook, send } = await withHook(dialect);
    await request('POST', 'branches/quiet/config', settings('manual'));
    const hook = await makeHook();
    const known = { 'x-mooring-token': hook.secret };
    expect(await send(hook, known, line('main') + line('quiet') + line('other'))).toMatchObject({
      status: 200,
      body: {
        builds: [{ id: 1, branch: 'main' }],
        skipped: [
          { branch: 'quiet', reason: 'The branch is built on demand only, not on push.' },
          { branch: 'other', reason: 'The branch has no build configuration.' },
        ],
      },
    });
    expect((await request('GET', 'builds/1')).body).toMatchObject({ reason: 'push', sourceVersion: sha });
    expect((await send(hook, known, line('main'))).body).toMatchObject({ builds: [], skipped: [{ branch: 'main' }] });
    const next = () => send(hook, known, line('main', 'b'.repeat(40)));
    const both = await atOnce(app, [next, next]);
    expect(both.map(({ body }) => body.builds.length).sort()).toEqual([0, 1]);
    // On demand, a commit can be built any number of times.
    expect((await request('POST', 'branches/main/builds', { sourceVersion: sha })).body).toMatchObject({ id: 3 });
    const [repository] = (await request('GET', 'repo_config')).body;
    expect(repository).toMatchObject({ push_url: hook.url, pushed_at: expect.any(String) });
    const rows = await app.database.query((q) => q.selectFrom('build_repositories').selectAll());
    expect(JSON.stringify([rows, repository]) + (await app.logged())).not.toContain(hook.secret);
  });

  test('report which quota of the owner is used up', async () => {
    const { app, makeHook, send } = await withHook(dialect);
    const token = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const hook = await makeHook();
    const pushed = async (quotas: object) => {
      await app.call('PUT', '/v0.1/admin/quotas/ada', { token, body: quotas });
      return (await send(hook, { 'x-mooring-token': hook.secret }, line('main'))).body;
    };
    const skipped = (reason: string) => ({ builds: [], skipped: [{ reason: expect.stringContaining(reason) }] });
    expect(await pushed({ build_minutes: 0 })).toMatchObject(skipped('ada uses 0 of 0 build minutes this month'));
    expect(await pushed({ storage_bytes: 0 })).toMatchObject(skipped('ada uses 0 of 0 bytes'));
    expect(await pushed({})).toMatchObject({ builds: [{ id: 1, branch: 'main' }], skipped: [] });
  });

  test('wait while the queue is full, and are built in order when it has space', async () => {
    const { app, request, makeHook, send } = await withHook(dialect, { buildQueue: 1 });
    const hook = await makeHook();
    const push = async (commit: string, branch = 'main') =>
      (await send(hook, { 'x-mooring-token': hook.secret }, line(branch, commit))).body;
    const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
    const cancel = (id: number) => request('PATCH', `builds/${id}`, { status: 'cancelling' });
    const getCommit = async (id: number) => (await request('GET', `builds/${id}`)).body.sourceVersion;
    expect(await push(first)).toMatchObject({ builds: [{ id: 1 }], waiting: [] });
    expect(await push(second)).toEqual({ builds: [], skipped: [], waiting: [{ branch: 'main' }] });
    expect(await push(second)).toMatchObject({ waiting: [{ branch: 'main' }] });
    const ctx = systemCtx(app.deps);
    await queueWaiting(ctx);
    expect((await request('GET', 'builds/2')).status).toBe(404);
    await cancel(1);
    // The queue has space, but the earlier push comes first.
    expect(await push(third)).toMatchObject({ waiting: [{ branch: 'main' }] });
    await queueWaiting(ctx);
    expect(await getCommit(2)).toBe(second);
    await cancel(2);
    await queueWaiting(ctx);
    expect(await getCommit(3)).toBe(third);
    await cancel(3);
    await queueWaiting(ctx);
    expect((await request('GET', 'builds')).body.values).toHaveLength(3);
    expect(await app.database.query((q) => q.selectFrom('build_pushes').selectAll())).toEqual([]);
  });

  test('that waited are dropped if the branch is no longer built on push', async () => {
    const { app, request, makeHook, send } = await withHook(dialect, { buildQueue: 1 });
    const hook = await makeHook();
    const known = { 'x-mooring-token': hook.secret };
    await request('POST', `branches/${encodeURIComponent('release/*')}/config`, settings('continuous'));
    expect((await send(hook, known, line('release/1') + line('release/2') + line('../x'))).body).toMatchObject({
      builds: [{ branch: 'release/1' }],
      waiting: [{ branch: 'release/2' }],
      skipped: [{ reason: 'The branch has no build configuration.' }],
    });
    await request('DELETE', `branches/${encodeURIComponent('release/*')}/config`);
    await request('PATCH', 'builds/1', { status: 'cancelling' });
    await queueWaiting(systemCtx(app.deps));
    expect((await request('GET', 'builds')).body.values).toHaveLength(1);
    expect(await app.database.query((q) => q.selectFrom('build_pushes').selectAll())).toEqual([]);
  });

  test('are accepted with the current secret of the webhook only', async () => {
    const { request, makeHook, send } = await withHook(dialect);
    const first = await makeHook();
    expect((await send(first, {}, line('main'))).status).toBe(401);
    expect((await send(first, { 'x-mooring-token': 'mps_' }, line('main'))).status).toBe(401);
    const second = await makeHook();
    expect((await send(first, { 'x-mooring-token': first.secret }, line('main'))).status).toBe(401);
    expect((await send(second, { 'x-mooring-token': first.secret }, line('main'))).status).toBe(401);
    const ping = { zen: 'Keep it small.', hook_id: 1 };
    const known = { 'x-gitlab-token': second.secret };
    expect(await send(second, known, JSON.stringify(ping), 'application/json')).toMatchObject({
      status: 200,
      body: { builds: [], skipped: [] },
    });
    expect((await send(second, known, '{', 'application/json')).status).toBe(400);
    expect((await request('DELETE', 'repo_config/push_hook')).status).toBe(204);
    expect((await request('DELETE', 'repo_config/push_hook')).status).toBe(404);
    expect((await send(second, known, line('main'))).status).toBe(401);
    await request('DELETE', 'repo_config');
    expect((await request('POST', 'repo_config/push_hook', {})).status).toBe(404);
  });

  test('are refused after a transfer, and credentials of the previous owner are erased', async () => {
    const { app, ada, request, makeHook, send } = await withHook(dialect);
    await request('POST', 'repo_config', { repo_url: 'https://ada:sesame@localhost/ada/compass.git' });
    const hook = await makeHook();
    await app.addOrg(ada, 'lighthouse');
    expect((await request('POST', 'transfer/lighthouse', {})).status).toBe(200);
    expect((await send(hook, { 'x-mooring-token': hook.secret }, line('main'))).status).toBe(401);
    const rows = await app.database.query((q) => q.selectFrom('build_repositories').selectAll());
    expect(rows).toMatchObject([{ username: null, password: null, hook_secret: null, state: 'unauthorized' }]);
  });

  test('are found by polling if the operator enables it, and the newest commit is built once', async () => {
    const host = await gitHost();
    const { app, request } = await withHook(dialect, { buildPollMinutes: 5 }, host.url);
    const ids = async () => (await request('GET', 'builds')).body.values.map(({ id }: { id: number }) => id);
    const ctx = systemCtx(app.deps);
    const first = host.push('main', { a: '1' });
    await pollRepositories(ctx);
    expect((await request('GET', 'builds/1')).body).toMatchObject({ reason: 'push', sourceVersion: first });
    host.push('main', { a: '2' });
    await pollRepositories(ctx);
    expect(await ids()).toEqual([1]);
    app.advance(5 * MINUTE);
    await pollRepositories(ctx);
    app.advance(5 * MINUTE);
    await pollRepositories(ctx);
    expect(await ids()).toEqual([2, 1]);
    await pollRepositories({ ...ctx, config: { ...ctx.config, buildPollMinutes: 0 } });
    expect(host.asked.length).toBeGreaterThan(0);
  });
});

const payload = { ref: 'refs/heads/main', after: sha };
test.each<[string, unknown]>([
  ['GitHub', { ...payload, deleted: false, head_commit: { id: sha, message: 'North [skip ci]' } }],
  [
    'GitLab',
    {
      ...payload,
      object_kind: 'push',
      commits: [
        { id: none, message: 'x' },
        { id: sha, message: '[ci skip]' },
      ],
    },
  ],
  ['Gitea', { ...payload, commits: [{ id: sha, message: 'a [Skip CI] b' }] }],
  [
    'Bitbucket',
    { push: { changes: [{ new: { type: 'branch', name: 'main', target: { hash: sha, message: '[skip ci]' } } }] } },
  ],
  [
    'Azure DevOps',
    {
      eventType: 'git.push',
      resource: {
        refUpdates: [{ name: 'refs/heads/main', newObjectId: sha }],
        commits: [{ commitId: sha, comment: '[skip ci]' }],
      },
    },
  ],
])('from %s are read, with the message of the commit', (_, body) => {
  for (const text of [JSON.stringify(body), `payload=${encodeURIComponent(JSON.stringify(body))}`]) {
    const pushes = readPushes(text);
    expect(pushes).toMatchObject([{ branch: 'main', sha }]);
    expect(pushes.every(isSkipped)).toBe(true);
  }
});

test('of tags, deletions and malformed commits are ignored', () => {
  expect(readPushes(JSON.stringify({ ref: 'refs/tags/1.0', after: sha }))).toEqual([]);
  expect(readPushes(JSON.stringify({ ref: 'refs/heads/main', after: none }))).toEqual([]);
  expect(readPushes(JSON.stringify({ ref: 'refs/heads/main', after: '--upload-pack=id' }))).toEqual([]);
  expect(readPushes(JSON.stringify({ push: { changes: [{ new: null }, { new: { type: 'tag' } }] } }))).toEqual([]);
  const changes = [{ ref: { id: 'refs/heads/next' }, toHash: sha, type: 'UPDATE' }];
  expect(readPushes(JSON.stringify({ changes }))).toMatchObject([{ branch: 'next', sha }]);
  expect(() => readPushes('no json')).toThrow('not JSON');
});

test('are accepted with each kind of signature, for the same body and secret only', () => {
  const body = Buffer.from('{"ref":"refs/heads/main"}');
  const mac = createHmac('sha256', 's3').update(body).digest('hex');
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const right = [
    { 'x-hub-signature-256': `sha256=${mac}` },
    { 'x-hub-signature': `sha256=${mac}` },
    { 'x-gitea-signature': mac },
    { 'x-gitlab-token': 's3' },
    { 'x-mooring-token': 's3' },
    { authorization: basic('azure:s3') },
  ];
  expect(right.map((sent) => isSigned('s3', body, sent))).toEqual(right.map(() => true));
  expect(right.slice(0, 3).map((sent) => isSigned('s3', Buffer.from('{}'), sent))).toEqual([false, false, false]);
  expect(right.map((sent) => isSigned('other', body, sent))).toEqual(right.map(() => false));
  const wrong = [{}, { 'x-hub-signature-256': mac }, { 'x-gitea-signature': '' }, { authorization: 'Bearer s3' }];
  expect(wrong.map((sent) => isSigned('s3', body, sent))).toEqual(wrong.map(() => false));
});
