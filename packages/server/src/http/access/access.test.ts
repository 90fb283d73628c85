import type { EndpointSpec, Rank } from '@mooring/contract';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Actor, AppActor, Deps, UserActor } from '../../context.ts';
import { Failure, forbidden, notFound, statusByCode } from '../../kernel/errors.ts';
import { readConfig } from '../../settings.ts';
import { type ApiSurface, createApiSurfaces } from '../api-surfaces.ts';
import { createAccess } from './access.ts';
import type { CredentialKind } from './credentials.ts';
import { defineScope, type Grant, type Scope } from './scopes.ts';

const person = (name: string, more: Partial<UserActor> & { isAdmin?: boolean } = {}): UserActor => ({
  kind: 'user',
  user: { id: name, name, displayName: name, email: `${name}@x`, avatarUrl: undefined, isAdmin: more.isAdmin ?? false },
  credential: { kind: 'token', id: name },
  tokenScope: 'all',
  ...more,
});
const appToken: AppActor = {
  kind: 'app',
  appId: 'a',
  tokenId: 't',
  tokenScope: 'all',
  createdBy: { id: 'u', name: 'ada' },
};

const foreign: ApiSurface = {
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

/** Scopes as domains define them, with grants that tests can change. They count lookups. */
function scopesOver(grants: Map<string, Grant>) {
  const lookups: string[] = [];
  const find = async (key: string) => {
    lookups.push(key);
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
  /** A secret that a device sends in a header, without any other credential. */
  const device = defineScope({
    name: 'operator',
    actors: ['anonymous', 'user'],
    params: [{ in: 'header', name: 'x-device' }],
    find: (_deps, _actor: Actor, [secret]) => find(`device ${secret}`),
    notFound: () => new Failure('Unauthorized', 'no such device'),
    refuse: () => forbidden('not this device'),
  });
  const appSecret: Scope = { ...device, name: 'appSecret' };
  const ownerApps: Scope = { ...device, name: 'ownerApps' };
  const groupReleases: Scope = { ...device, name: 'groupReleases' };
  const deploymentKey: Scope = { ...device, name: 'deploymentKey' };
  const sdkKey: Scope = { ...device, name: 'sdkKey' };
  const directory: Scope = { ...device, name: 'directory' };
  const runner: Scope = { ...device, name: 'runner' };
  const runnerJob: Scope = { ...device, name: 'runnerJob' };
  const open = [device, ownerApps, appSecret, deploymentKey, directory, sdkKey, groupReleases, runner, runnerJob];
  return { scopes: [app, org, subscription, ...open] satisfies Scope[], lookups };
}

interface Fixtures {
  grants?: Record<string, Rank | undefined>;
  credentials?: Record<string, Actor>;
  rejects?: Failure;
}

async function serve({ grants: granted = {}, credentials = {}, rejects }: Fixtures) {
  const state = { now: 0, version: 1, loads: 0 };
  const grants = new Map(
    Object.entries(granted).map(([key, rank]): [string, Grant] => [key, { rank, context: { found: key } }]),
  );
  const { scopes, lookups } = scopesOver(grants);
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
  const surfaces = createApiSurfaces([foreign]);
  const access = createAccess(deps, {
    authority: {
      versionsNow: async () => ({ grants: state.version, responses: 1 }),
      checkPassword: async (_ctx, login, password) => (password === 'right' ? person(login).user : undefined),
      requireConfirmation: async () => undefined,
      noteUse: (actor) => used.push(actor.kind),
    },
    credentials: [kind('token', 'token'), kind('oauth', 'token'), kind('session', 'session')],
    scopes,
    surfaces,
    limit: (key, _reply, reportAllowance) => {
      counted.push(key);
      reportAllowance?.({ limit: 9, remaining: 8, reset: 7, exceeded: false });
    },
  });
  const http = fastify();
  http.decorateRequest('ctx', undefined).decorateRequest('rank', undefined).decorateRequest('versions', undefined);
  http.setErrorHandler((error, _request, reply) => {
    const code = error instanceof Failure ? error.code : 'InternalServerError';
    return reply.code(statusByCode[code]).send(`${code}: ${(error as Error).message}`);
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
  add('/foreign/:id', { access: 'subscription:reader', surface: { name: 'health' } });
  add('/foreign/:id/change', { access: 'subscription:reader', surface: { name: 'health' }, method: 'POST' });
  add('/device', { access: 'operator' });
  add('/basic', { access: 'user', basic: true });
  await http.ready();
  const sendRequest = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') => {
    const response = await http.inject({ method, url, headers });
    return [response.statusCode, response.statusCode === 200 ? response.json() : response.body] as [number, never];
  };
  return { sendRequest, state, lookups, counted, used, grants, http };
}

/** Runs the access check for every endpoint. */
const shared = { response: { kind: 'json' } };

const token = (name: string) => ({ 'x-api-token': `token-${name}` });

test('a public endpoint needs no credential and accepts every caller', async () => {
  const { sendRequest } = await serve({ credentials: { 'token-ada': person('ada'), 'token-app': appToken } });
  for (const [headers, kind] of [
    [{}, 'anonymous'],
    [token('ada'), 'user'],
    [token('app'), 'app'],
    [token('nobody'), 'anonymous'],
  ] as const) {
    expect(await sendRequest('/open', headers)).toMatchObject([200, { actor: { kind } }]);
  }
});

test('an endpoint may need a person or an administrator', async () => {
  const root = person('root', { isAdmin: true });
  const { sendRequest } = await serve({
    credentials: { 'token-ada': person('ada'), 'token-root': root, 'token-app': appToken },
  });
  expect((await sendRequest('/me'))[0]).toBe(401);
  expect((await sendRequest('/me', token('nobody')))[0]).toBe(401);
  expect((await sendRequest('/me', token('ada')))[0]).toBe(200);
  expect(await sendRequest('/me', token('app'))).toEqual([403, expect.stringContaining('only its own app')]);
  expect(await sendRequest('/admin', token('ada'))).toEqual([403, expect.stringContaining('Only administrators')]);
  expect((await sendRequest('/admin', token('root')))[0]).toBe(200);
});

test('compares the rank with what the endpoint needs, and a hidden scope looks like a missing one', async () => {
  const { sendRequest } = await serve({
    credentials: { 'token-ada': person('ada'), 'token-app': appToken },
    grants: { 'app ada/a': 'developer', 'app ada/b': 'viewer', 'app ada/c': 'manager' },
  });
  expect(await sendRequest('/apps/ada/a', token('ada'))).toMatchObject([
    200,
    { rank: 'developer', found: 'app ada/a' },
  ]);
  expect(await sendRequest('/apps/ada/b', token('ada'))).toEqual([403, 'Forbidden: needs developer, has viewer']);
  expect((await sendRequest('/apps/ada/c', token('app')))[0]).toBe(200);
  expect(await sendRequest('/apps/ada/d', token('ada'))).toEqual([
    404,
    'NotFound: No app "ada/d" found, or you don\'t have access to it.',
  ]);
  expect((await sendRequest('/apps/ada/a'))[0]).toBe(401);
});

test('a Read-Only token changes nothing and learns nothing about hidden resources', async () => {
  const { sendRequest } = await serve({
    credentials: { 'token-ada': person('ada', { tokenScope: 'viewer' }) },
    grants: { 'app ada/a': 'developer', 'subscription 1': 'reader' },
  });
  expect((await sendRequest('/apps/ada/a', token('ada')))[0]).toBe(200);
  expect(await sendRequest('/apps/ada/a/change', token('ada'), 'POST')).toEqual([
    403,
    expect.stringContaining('Read-Only'),
  ]);
  expect((await sendRequest('/apps/ada/none/change', token('ada'), 'POST'))[0]).toBe(404);
  expect((await sendRequest('/foreign/2/change?version=1', token('ada'), 'POST'))[0]).toBe(403);
  expect((await sendRequest('/open/change', token('ada'), 'POST'))[0]).toBe(200);
});

test('a user-only endpoint rejects an app token that has the rank', async () => {
  const { sendRequest } = await serve({
    credentials: { 'token-ada': person('ada'), 'token-app': appToken },
    grants: { 'app ada/a': 'manager' },
  });
  expect((await sendRequest('/apps/ada/a/give', token('ada'), 'POST'))[0]).toBe(200);
  expect(await sendRequest('/apps/ada/a/give', token('app'), 'POST')).toEqual([
    403,
    expect.stringContaining('needs a user'),
  ]);
});

test('accepts a previous name for reads only, and does not cache it', async () => {
  const { sendRequest, lookups } = await serve({
    credentials: { 'token-ada': person('ada') },
    grants: { 'app ada/a': 'developer' },
  });
  expect((await sendRequest('/apps/former/a', token('ada')))[0]).toBe(200);
  expect((await sendRequest('/apps/former/a/change', token('ada'), 'POST'))[0]).toBe(404);
  await sendRequest('/apps/former/a', token('ada'));
  expect(lookups.filter((key) => key === 'app former/a')).toHaveLength(3);
});

test('looks up a grant once, and again after access rights change', async () => {
  const { sendRequest, lookups, state, grants } = await serve({
    credentials: { 'token-ada': person('ada') },
    grants: { 'app ada/a': 'developer' },
  });
  for (let round = 0; round < 3; round += 1) expect((await sendRequest('/apps/ada/a', token('ada')))[0]).toBe(200);
  expect(lookups).toEqual(['app ada/a']);
  grants.delete('app ada/a');
  state.version += 1;
  expect((await sendRequest('/apps/ada/a', token('ada')))[0]).toBe(404);
  expect(state.loads).toBe(2);
});

test('never mixes up cached grants of different scopes, however they are spelled', async () => {
  const { sendRequest } = await serve({
    credentials: { 'token-ada': person('ada') },
    grants: { 'app ada/a': 'developer', 'org ada': 'member' },
  });
  for (let remembered = 0; remembered < 2; remembered += 1) {
    expect((await sendRequest('/apps/ada/a', token('ada')))[0]).toBe(200);
    expect((await sendRequest('/orgs/ada', token('ada')))[0]).toBe(200);
    expect((await sendRequest('/orgs/ada%2Fa', token('ada')))[0]).toBe(404);
    expect((await sendRequest('/apps/ada/', token('ada')))[0]).toBe(404);
  }
});

test('identifies an anonymous caller by the request, and caches nothing', async () => {
  const { sendRequest, lookups, grants } = await serve({ grants: { 'device s': 'operator' } });
  expect(await sendRequest('/device', { 'x-device': 's' })).toMatchObject([200, { actor: { kind: 'anonymous' } }]);
  expect(await sendRequest('/device', { 'x-device': 'other' })).toEqual([401, 'Unauthorized: no such device']);
  expect((await sendRequest('/device'))[0]).toBe(401);
  grants.delete('device s');
  expect((await sendRequest('/device', { 'x-device': 's' }))[0]).toBe(401);
  expect(lookups.filter((key) => key === 'device s')).toHaveLength(2);
});

test('an administrator gets the implied ranks in other scopes, for existing resources', async () => {
  const { sendRequest } = await serve({
    credentials: { 'token-root': person('root', { isAdmin: true }), 'token-ada': person('ada') },
    grants: { 'subscription 1': undefined, 'app ada/a': undefined },
  });
  expect((await sendRequest('/foreign/1?version=1', token('root')))[0]).toBe(200);
  expect((await sendRequest('/foreign/1?version=1', token('ada')))[0]).toBe(403);
  expect((await sendRequest('/foreign/2?version=1', token('root')))[0]).toBe(404);
  expect((await sendRequest('/apps/ada/a', token('root')))[0]).toBe(403);
});

test('an API surface decides which credentials count, what every request needs and how unauthenticated callers are refused', async () => {
  const { sendRequest } = await serve({
    credentials: { 'token-ada': person('ada'), 'oauth-ada': person('ada'), 'session-ada': person('ada') },
    grants: { 'subscription 1': 'reader' },
  });
  const bearer = { authorization: 'Bearer oauth-ada' };
  expect((await sendRequest('/foreign/1?version=1', bearer))[0]).toBe(200);
  expect((await sendRequest('/me', bearer))[0]).toBe(401);
  expect((await sendRequest('/me', { cookie: 'mooring_session=session-ada' }))[0]).toBe(200);
  expect((await sendRequest('/foreign/1?version=1', { cookie: 'mooring_session=session-ada' }))[0]).toBe(401);
  expect(await sendRequest('/foreign/1')).toEqual([401, 'AuthenticationFailed: It is missing.']);
  expect(await sendRequest('/foreign/1', token('nobody'))).toEqual([401, 'AuthenticationFailed: It does not hold.']);
  expect(await sendRequest('/foreign/1', token('ada'))).toEqual([
    400,
    'MissingApiVersionParameter: version is missing.',
  ]);
  expect((await sendRequest('/foreign/x?version=1', token('ada')))[0]).toBe(400);
  expect((await sendRequest('/foreign/001?version=1', token('ada')))[0]).toBe(200);
});

test('counts every request for its credential or IP address, including refused ones', async () => {
  const refusal = new Failure('ExpiredAuthenticationToken', 'It is too late.');
  const { sendRequest, counted, http } = await serve({ rejects: refusal });
  expect(await sendRequest('/foreign/1', { authorization: 'Bearer oauth-x' })).toEqual([
    401,
    expect.stringContaining('too late'),
  ]);
  expect(counted).toEqual(['address:127.0.0.1']);
  expect((await http.inject('/foreign/1')).headers['x-left']).toBe('8');
  expect((await http.inject('/me')).headers).not.toHaveProperty('x-left');
});

test('looks up a cached credential again after it expired, and stops counting it', async () => {
  const { sendRequest, state, used } = await serve({ credentials: { 'token-ada': person('ada') } });
  expect((await sendRequest('/me', token('ada')))[0]).toBe(200);
  state.now = 1000;
  expect((await sendRequest('/me', token('ada')))[0]).toBe(401);
  expect([state.loads, used]).toEqual([2, ['user']]);
});

test('does not look up text in no known credential format', async () => {
  const { sendRequest, state } = await serve({
    credentials: { 'token-ada': person('ada'), 'session-ada': person('ada') },
  });
  for (const headers of [
    { 'x-api-token': 'session-ada' },
    { 'x-api-token': ' ' },
    { authorization: 'Bearer session-ada' },
    { authorization: 'Digest token-ada' },
    { cookie: 'mooring_session=token-ada' },
  ] as Record<string, string>[]) {
    expect((await sendRequest('/me', headers))[0]).toBe(401);
  }
  expect(state.loads).toBe(0);
});

test('accepts a password only where the endpoint declares it', async () => {
  const { sendRequest } = await serve({});
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  expect((await sendRequest('/basic', basic('ada:right')))[0]).toBe(200);
  expect((await sendRequest('/basic', basic('ada:wrong')))[0]).toBe(401);
  expect((await sendRequest('/me', basic('ada:right')))[0]).toBe(401);
});

test('does not start if a scope is missing or defined twice', () => {
  const { scopes } = scopesOver(new Map());
  const make = (list: readonly Scope[]) =>
    createAccess({ config: readConfig({}) } as Deps, {
      authority: {
        versionsNow: async () => ({ grants: 0, responses: 0 }),
        checkPassword: async () => undefined,
        requireConfirmation: async () => undefined,
        noteUse: () => undefined,
      },
      credentials: [],
      scopes: list,
      surfaces: createApiSurfaces([]),
      limit: () => undefined,
    });
  expect(() => make(scopes)).not.toThrow();
  expect(() => make(scopes.slice(1))).toThrow('no domain defines the scope app');
  expect(() => make([...scopes, ...scopes])).toThrow('same name');
});
