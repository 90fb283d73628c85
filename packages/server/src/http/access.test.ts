import type { EndpointSpec, Rank } from '@mooring/contract';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { Actor, AppActor, Deps, UserActor } from '../context.ts';
import { Failure, forbidden, notFound, statusOf } from '../kernel/errors.ts';
import { createAccess } from './access.ts';
import type { CredentialKind } from './credentials.ts';
import { createFamilies, type Family } from './families.ts';
import { defineScope, type Grant, type Scope } from './scopes.ts';

const person = (name: string, more: Partial<UserActor> & { isAdmin?: boolean } = {}): UserActor => ({
  kind: 'user',
  user: { id: name, name, displayName: name, email: `${name}@x`, avatarUrl: undefined, isAdmin: more.isAdmin ?? false },
  credential: { kind: 'token', id: name },
  reach: 'all',
  ...more,
});
const appToken: AppActor = { kind: 'app', appId: 'a', tokenId: 't', reach: 'all', createdBy: { id: 'u', name: 'ada' } };

const foreign: Family = {
  name: 'health',
  credentials: ['oauth', 'token'],
  owns: (url) => url.startsWith('/foreign'),
  unauthenticated: (has) => new Failure('AuthenticationFailed', has ? 'It does not hold.' : 'It is missing.'),
  checkQuery: ({ version }) => {
    if (!version) throw new Failure('MissingApiVersionParameter', 'version is missing.');
  },
  allowanceHeaders: ({ remaining }) => ({ 'x-left': remaining }),
  error: ({ code }) => ({ code }),
};

/** Scopes as domains define them, over grants that a test may change; they count how often they are asked. */
function scopesOver(grants: Map<string, Grant>) {
  const asked: string[] = [];
  const find = async (key: string) => {
    asked.push(key);
    return grants.get(key);
  };
  const app = defineScope({
    name: 'app',
    actors: ['user', 'app'],
    params: [
      { in: 'path', name: 'owner' },
      { in: 'path', name: 'app' },
    ],
    isHidden: true,
    find: (_deps, _actor: Actor, [owner, name]) => find(`app ${owner}/${name}`),
    findRenamed: async (_deps, [owner = '', name = '']) => [owner.replace('former', 'ada'), name],
    notFound: (params) => notFound('app', params.join('/')),
    refuse: ({ needs, has }) => forbidden(`needs ${needs}, has ${has}`),
  });
  const org = defineScope({
    name: 'org',
    actors: ['user'],
    params: [{ in: 'path', name: 'org' }],
    isHidden: true,
    find: (_deps, _actor: Actor, [name]) => find(`org ${name}`),
    refuse: ({ needs }) => forbidden(`needs ${needs}`),
  });
  const subscription = defineScope({
    name: 'subscription',
    actors: ['user'],
    params: [{ in: 'path', name: 'id' }],
    read: ([id = '']) => {
      if (/^\d+$/.test(id)) return [String(Number(id))];
      throw new Failure('InvalidSubscriptionId', `${id} is no number`);
    },
    find: (_deps, _actor: Actor, [id]) => find(`subscription ${id}`),
    refuse: () => forbidden('not a reader'),
  });
  /** What a device shows in a header, without any other credential. */
  const device = defineScope({
    name: 'operator',
    actors: ['anonymous', 'user'],
    params: [{ in: 'header', name: 'x-device' }],
    find: (_deps, _actor: Actor, [secret]) => find(`device ${secret}`),
    notFound: () => new Failure('Unauthorized', 'no such device'),
    refuse: () => forbidden('not this device'),
  });
  const appSecret: Scope = { ...device, name: 'appSecret' };
  const groupReleases: Scope = { ...device, name: 'groupReleases' };
  const deploymentKey: Scope = { ...device, name: 'deploymentKey' };
  const runner: Scope = { ...device, name: 'runner' };
  const runnerJob: Scope = { ...device, name: 'runnerJob' };
  const open = [device, appSecret, deploymentKey, groupReleases, runner, runnerJob];
  return { scopes: [app, org, subscription, ...open] satisfies Scope[], asked };
}

interface World {
  grants?: Record<string, Rank | undefined>;
  credentials?: Record<string, Actor>;
  rejects?: Failure;
}

async function serve({ grants: given = {}, credentials = {}, rejects }: World) {
  const state = { now: 0, version: 1, loads: 0 };
  const grants = new Map(
    Object.entries(given).map(([key, rank]): [string, Grant] => [key, { rank, context: { found: key } }]),
  );
  const { scopes, asked } = scopesOver(grants);
  const counted: string[] = [];
  const used: string[] = [];
  const kind = (name: string, sent: 'token' | 'session'): CredentialKind => ({
    name,
    sent,
    fits: (value) => value.startsWith(`${name}-`),
    find: async (value) => {
      state.loads += 1;
      if (rejects) throw rejects;
      const actor = credentials[value];
      return actor && { actor: { ...actor }, expiresAt: 1000 };
    },
  });
  const deps = { config: readConfig({}), clock: { now: () => state.now } } as Deps;
  const families = createFamilies([foreign]);
  const access = createAccess(deps, {
    authority: {
      versionsNow: async () => ({ grants: state.version, responses: 1 }),
      checkPassword: async (_ctx, login, password) => (password === 'right' ? person(login).user : undefined),
      noteUse: (actor) => used.push(actor.kind),
    },
    credentials: [kind('token', 'token'), kind('oauth', 'token'), kind('session', 'session')],
    scopes,
    families,
    limit: (key, _reply, tell) => {
      counted.push(key);
      tell?.({ limit: 9, remaining: 8, reset: 7, exceeded: false });
    },
  });
  const http = fastify();
  http.decorateRequest('ctx', undefined).decorateRequest('rank', undefined).decorateRequest('versions', undefined);
  http.setErrorHandler((error, _request, reply) => {
    const code = error instanceof Failure ? error.code : 'InternalServerError';
    return reply.code(statusOf[code]).send(`${code}: ${(error as Error).message}`);
  });
  const add = (path: string, spec: Partial<EndpointSpec>) =>
    http.route({
      method: spec.method ?? 'GET',
      url: path,
      onRequest: (request, reply) =>
        access({ ...shared, effect: spec.method ? 'change' : 'read', ...spec } as EndpointSpec, request, reply),
      handler: async ({ ctx, rank }) => ({ actor: ctx?.actor.kind, rank, ...ctx }),
    });
  add('/open', { access: 'public' });
  add('/open/change', { access: 'public', method: 'POST' });
  add('/me', { access: 'user' });
  add('/admin', { access: 'admin' });
  add('/apps/:owner/:app', { access: 'app:developer' });
  add('/apps/:owner/:app/change', { access: 'app:developer', method: 'POST' });
  add('/apps/:owner/:app/give', { access: 'app:developer', method: 'POST', only: 'person' });
  add('/orgs/:org', { access: 'org:member' });
  add('/foreign/:id', { access: 'subscription:reader', family: { name: 'health' } });
  add('/foreign/:id/change', { access: 'subscription:reader', family: { name: 'health' }, method: 'POST' });
  add('/device', { access: 'operator' });
  add('/basic', { access: 'user', basic: true });
  await http.ready();
  const ask = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') => {
    const answer = await http.inject({ method, url, headers });
    return [answer.statusCode, answer.statusCode === 200 ? answer.json() : answer.body] as [number, never];
  };
  return { ask, state, asked, counted, used, grants, http };
}

/** What access asks of every endpoint. */
const shared = { response: { kind: 'json' } };

const token = (name: string) => ({ 'x-api-token': `token-${name}` });

test('what is open needs nobody, and takes everybody', async () => {
  const { ask } = await serve({ credentials: { 'token-ada': person('ada'), 'token-app': appToken } });
  for (const [headers, kind] of [
    [{}, 'anonymous'],
    [token('ada'), 'user'],
    [token('app'), 'app'],
    [token('nobody'), 'anonymous'],
  ] as const) {
    expect(await ask('/open', headers)).toMatchObject([200, { actor: { kind } }]);
  }
});

test('a person is needed where one is declared, and an administrator likewise', async () => {
  const root = person('root', { isAdmin: true });
  const { ask } = await serve({
    credentials: { 'token-ada': person('ada'), 'token-root': root, 'token-app': appToken },
  });
  expect((await ask('/me'))[0]).toBe(401);
  expect((await ask('/me', token('nobody')))[0]).toBe(401);
  expect((await ask('/me', token('ada')))[0]).toBe(200);
  expect(await ask('/me', token('app'))).toEqual([403, expect.stringContaining('only its own app')]);
  expect(await ask('/admin', token('ada'))).toEqual([403, expect.stringContaining('Only administrators')]);
  expect((await ask('/admin', token('root')))[0]).toBe(200);
});

test('a rank is held against what the endpoint needs, and a scope that is hidden tells nobody that it exists', async () => {
  const { ask } = await serve({
    credentials: { 'token-ada': person('ada'), 'token-app': appToken },
    grants: { 'app ada/a': 'developer', 'app ada/b': 'viewer', 'app ada/c': 'manager' },
  });
  expect(await ask('/apps/ada/a', token('ada'))).toMatchObject([200, { rank: 'developer', found: 'app ada/a' }]);
  expect(await ask('/apps/ada/b', token('ada'))).toEqual([403, 'Forbidden: needs developer, has viewer']);
  expect((await ask('/apps/ada/c', token('app')))[0]).toBe(200);
  expect(await ask('/apps/ada/d', token('ada'))).toEqual([404, 'NotFound: No app "ada/d" that you can see.']);
  expect((await ask('/apps/ada/a'))[0]).toBe(401);
});

test('a Read-Only token changes nothing, and learns nothing of what is hidden', async () => {
  const { ask } = await serve({
    credentials: { 'token-ada': person('ada', { reach: 'viewer' }) },
    grants: { 'app ada/a': 'developer', 'subscription 1': 'reader' },
  });
  expect((await ask('/apps/ada/a', token('ada')))[0]).toBe(200);
  expect(await ask('/apps/ada/a/change', token('ada'), 'POST')).toEqual([403, expect.stringContaining('Read-Only')]);
  expect((await ask('/apps/ada/none/change', token('ada'), 'POST'))[0]).toBe(404);
  expect((await ask('/foreign/2/change?version=1', token('ada'), 'POST'))[0]).toBe(403);
  expect((await ask('/open/change', token('ada'), 'POST'))[0]).toBe(200);
});

test('what is for people is refused to an app token that has the rank', async () => {
  const { ask } = await serve({
    credentials: { 'token-ada': person('ada'), 'token-app': appToken },
    grants: { 'app ada/a': 'manager' },
  });
  expect((await ask('/apps/ada/a/give', token('ada'), 'POST'))[0]).toBe(200);
  expect(await ask('/apps/ada/a/give', token('app'), 'POST')).toEqual([403, expect.stringContaining('for people')]);
});

test('a former name does for reads, not for changes, and is not remembered', async () => {
  const { ask, asked } = await serve({
    credentials: { 'token-ada': person('ada') },
    grants: { 'app ada/a': 'developer' },
  });
  expect((await ask('/apps/former/a', token('ada')))[0]).toBe(200);
  expect((await ask('/apps/former/a/change', token('ada'), 'POST'))[0]).toBe(404);
  await ask('/apps/former/a', token('ada'));
  expect(asked.filter((key) => key === 'app former/a')).toHaveLength(3);
});

test('a grant is looked up once, and anew when anybody’s rights have changed', async () => {
  const { ask, asked, state, grants } = await serve({
    credentials: { 'token-ada': person('ada') },
    grants: { 'app ada/a': 'developer' },
  });
  for (let round = 0; round < 3; round += 1) expect((await ask('/apps/ada/a', token('ada')))[0]).toBe(200);
  expect(asked).toEqual(['app ada/a']);
  grants.delete('app ada/a');
  state.version += 1;
  expect((await ask('/apps/ada/a', token('ada')))[0]).toBe(404);
  expect(state.loads).toBe(2);
});

test('what is remembered of one scope is never taken for another, however it is spelled', async () => {
  const { ask } = await serve({
    credentials: { 'token-ada': person('ada') },
    grants: { 'app ada/a': 'developer', 'org ada': 'member' },
  });
  for (let remembered = 0; remembered < 2; remembered += 1) {
    expect((await ask('/apps/ada/a', token('ada')))[0]).toBe(200);
    expect((await ask('/orgs/ada', token('ada')))[0]).toBe(200);
    expect((await ask('/orgs/ada%2Fa', token('ada')))[0]).toBe(404);
    expect((await ask('/apps/ada/', token('ada')))[0]).toBe(404);
  }
});

test('who has no credential is known by what the request shows, and nothing of it is remembered', async () => {
  const { ask, asked, grants } = await serve({ grants: { 'device s': 'operator' } });
  expect(await ask('/device', { 'x-device': 's' })).toMatchObject([200, { actor: { kind: 'anonymous' } }]);
  expect(await ask('/device', { 'x-device': 'other' })).toEqual([401, 'Unauthorized: no such device']);
  expect((await ask('/device'))[0]).toBe(401);
  grants.delete('device s');
  expect((await ask('/device', { 'x-device': 's' }))[0]).toBe(401);
  expect(asked.filter((key) => key === 'device s')).toHaveLength(2);
});

test('an administrator has in other scopes what the contract says, once there is something', async () => {
  const { ask } = await serve({
    credentials: { 'token-root': person('root', { isAdmin: true }), 'token-ada': person('ada') },
    grants: { 'subscription 1': undefined, 'app ada/a': undefined },
  });
  expect((await ask('/foreign/1?version=1', token('root')))[0]).toBe(200);
  expect((await ask('/foreign/1?version=1', token('ada')))[0]).toBe(403);
  expect((await ask('/foreign/2?version=1', token('root')))[0]).toBe(404);
  expect((await ask('/apps/ada/a', token('root')))[0]).toBe(403);
});

test('a family says which credentials count, what every request must say, and what strangers are told', async () => {
  const { ask } = await serve({
    credentials: { 'token-ada': person('ada'), 'oauth-ada': person('ada'), 'session-ada': person('ada') },
    grants: { 'subscription 1': 'reader' },
  });
  const bearer = { authorization: 'Bearer oauth-ada' };
  expect((await ask('/foreign/1?version=1', bearer))[0]).toBe(200);
  expect((await ask('/me', bearer))[0]).toBe(401);
  expect((await ask('/me', { cookie: 'mooring_session=session-ada' }))[0]).toBe(200);
  expect((await ask('/foreign/1?version=1', { cookie: 'mooring_session=session-ada' }))[0]).toBe(401);
  expect(await ask('/foreign/1')).toEqual([401, 'AuthenticationFailed: It is missing.']);
  expect(await ask('/foreign/1', token('nobody'))).toEqual([401, 'AuthenticationFailed: It does not hold.']);
  expect(await ask('/foreign/1', token('ada'))).toEqual([400, 'MissingApiVersionParameter: version is missing.']);
  expect((await ask('/foreign/x?version=1', token('ada')))[0]).toBe(400);
  expect((await ask('/foreign/001?version=1', token('ada')))[0]).toBe(200);
});

test('every request counts, for its credential or its address, also one that is refused', async () => {
  const refusal = new Failure('ExpiredAuthenticationToken', 'It is too late.');
  const { ask, counted, http } = await serve({ rejects: refusal });
  expect(await ask('/foreign/1', { authorization: 'Bearer oauth-x' })).toEqual([
    401,
    expect.stringContaining('too late'),
  ]);
  expect(counted).toEqual(['address:127.0.0.1']);
  expect((await http.inject('/foreign/1')).headers['x-left']).toBe('8');
  expect((await http.inject('/me')).headers).not.toHaveProperty('x-left');
});

test('a credential that has expired since it was remembered is looked at again, and counts no more', async () => {
  const { ask, state, used } = await serve({ credentials: { 'token-ada': person('ada') } });
  expect((await ask('/me', token('ada')))[0]).toBe(200);
  state.now = 1000;
  expect((await ask('/me', token('ada')))[0]).toBe(401);
  expect([state.loads, used]).toEqual([2, ['user']]);
});

test('a text that has the form of no credential is not even looked up', async () => {
  const { ask, state } = await serve({ credentials: { 'token-ada': person('ada'), 'session-ada': person('ada') } });
  for (const headers of [
    { 'x-api-token': 'session-ada' },
    { 'x-api-token': ' ' },
    { authorization: 'Bearer session-ada' },
    { authorization: 'Digest token-ada' },
    { cookie: 'mooring_session=token-ada' },
  ] as Record<string, string>[]) {
    expect((await ask('/me', headers))[0]).toBe(401);
  }
  expect(state.loads).toBe(0);
});

test('a password counts only where it is declared', async () => {
  const { ask } = await serve({});
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  expect((await ask('/basic', basic('ada:right')))[0]).toBe(200);
  expect((await ask('/basic', basic('ada:wrong')))[0]).toBe(401);
  expect((await ask('/me', basic('ada:right')))[0]).toBe(401);
});

test('a server whose domains leave out a scope, or define one twice, does not start', () => {
  const { scopes } = scopesOver(new Map());
  const make = (list: readonly Scope[]) =>
    createAccess({ config: readConfig({}) } as Deps, {
      authority: {
        versionsNow: async () => ({ grants: 0, responses: 0 }),
        checkPassword: async () => undefined,
        noteUse: () => undefined,
      },
      credentials: [],
      scopes: list,
      families: createFamilies([]),
      limit: () => undefined,
    });
  expect(() => make(scopes)).not.toThrow();
  expect(() => make(scopes.slice(1))).toThrow('no domain defines the scope app');
  expect(() => make([...scopes, ...scopes])).toThrow('same name');
});
