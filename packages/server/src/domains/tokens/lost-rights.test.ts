import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { DAY, toIso } from '../../kernel/clock.ts';

/** Ada owns an organization with an app; each test grants Grace access in a different way. */
async function fixture(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const org = await app.addOrg(ada, 'lighthouse');
  const compass = await app.addOrgApp(org, ada, 'compass');
  const token = await app.userToken(ada);
  const request = async (method: string, url: string, body?: object) =>
    (await app.call(method, `/v0.1${url}`, { token, ...(body ? { body } : {}) })).statusCode;
  const use = async (value: string, server: Pick<TestApp, 'http'> = app) =>
    (await server.http.inject({ url: '/v0.1/apps/lighthouse/compass', headers: { 'x-api-token': value } })).statusCode;
  return { app, ada, grace, org, compass, token, request, use };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Ways for Grace to gain and lose the permission. */
const losses: Record<string, { gain: (f: Fixture) => Promise<unknown>; lose: (f: Fixture) => Promise<number> }> = {
  'an admin who is removed from the organization': {
    gain: ({ app, org, grace }) => app.addToOrg(org, grace, 'admin'),
    lose: ({ request }) => request('DELETE', '/orgs/lighthouse/users/grace'),
  },
  'an admin who becomes a collaborator': {
    gain: ({ app, org, grace }) => app.addToOrg(org, grace, 'admin'),
    lose: ({ request }) => request('PATCH', '/orgs/lighthouse/users/grace', { role: 'collaborator' }),
  },
  'a manager who is removed from the app': {
    gain: ({ app, compass, grace }) => app.addMember(compass, grace, 'manager'),
    lose: ({ request }) => request('DELETE', '/apps/lighthouse/compass/users/grace@example.com'),
  },
  'a manager who becomes a viewer': {
    gain: ({ app, compass, grace }) => app.addMember(compass, grace, 'manager'),
    lose: ({ request }) =>
      request('PATCH', '/apps/lighthouse/compass/users/grace@example.com', { permissions: ['viewer'] }),
  },
  'a member who leaves the team that manages the app': {
    gain: (f) => joinTeam(f),
    lose: ({ request }) => request('DELETE', '/orgs/lighthouse/teams/crew/users/grace'),
  },
  'a member whose team gets less': {
    gain: (f) => joinTeam(f),
    lose: ({ request }) => request('PATCH', '/orgs/lighthouse/teams/crew/apps/compass', { permissions: ['viewer'] }),
  },
  'a member whose team loses the app': {
    gain: (f) => joinTeam(f),
    lose: ({ request }) => request('DELETE', '/orgs/lighthouse/teams/crew/apps/compass'),
  },
  'a member whose team is deleted': {
    gain: (f) => joinTeam(f),
    lose: ({ request }) => request('DELETE', '/orgs/lighthouse/teams/crew'),
  },
  'a manager whose account is disabled': {
    gain: ({ app, compass, grace }) => app.addMember(compass, grace, 'manager'),
    lose: ({ request, grace }) => request('PATCH', `/admin/users/${grace.id}`, { is_disabled: true }),
  },
};

async function joinTeam({ app, org, ada, grace, compass, request }: Fixture) {
  await app.addToOrg(org, grace, 'member');
  await app.addTeam(org, ada, 'crew', { users: [grace], apps: [compass] });
  expect(await request('PATCH', '/orgs/lighthouse/teams/crew/apps/compass', { permissions: ['manager'] })).toBe(200);
}

eachDatabase('app tokens of a creator who loses the permission to create them', (dialect) => {
  test.each(Object.entries(losses))('are revoked on every process: %s', async (_, { gain, lose }) => {
    const fixed = await fixture(dialect);
    const { app, ada, grace, compass, use } = fixed;
    await gain(fixed);
    const [full, readOnly] = [
      await app.appToken(compass, grace, { description: 'full' }),
      await app.appToken(compass, grace, { description: 'read-only', scope: ['viewer'] }),
    ];
    const others = await app.appToken(compass, ada);
    const second = await app.another();
    const all = async () => [await use(full, second), await use(readOnly, second), await use(others, second)];
    expect(await all()).toEqual([200, 200, 200]);
    expect(await lose(fixed)).toBeLessThan(300);
    expect(await all()).toEqual([401, 401, 200]);
    const names = (await recorded(app, 'api_token.delete')).map(({ subject }) => subject.name);
    expect(names).toEqual(['full', 'read-only']);
  });

  test('a manager who becomes a developer keeps Read-Only tokens, and another access path keeps all', async () => {
    const { app, request, grace, compass, org, use } = await fixture(dialect);
    await app.addMember(compass, grace, 'manager');
    const tokens = [await app.appToken(compass, grace), await app.appToken(compass, grace, { scope: ['viewer'] })];
    const all = async () => [await use(tokens[0] ?? ''), await use(tokens[1] ?? '')];
    await app.addToOrg(org, grace, 'admin');
    const user = '/apps/lighthouse/compass/users/grace@example.com';
    expect(await request('PATCH', user, { permissions: ['developer'] })).toBe(204);
    expect(await all()).toEqual([200, 200]);
    expect(await request('PATCH', '/orgs/lighthouse/users/grace', { role: 'member' })).toBe(200);
    expect(await all()).toEqual([401, 200]);
  });

  test('remain if the remover chooses so, but create no tokens and invite no one, and uploads of their creator end', async () => {
    const { app, request, grace, compass, use } = await fixture(dialect);
    await app.addMember(compass, grace, 'manager');
    const remaining = await app.appToken(compass, grace);
    const uploads = '/v0.1/apps/lighthouse/compass/uploads/releases';
    const upload = (await app.call('POST', uploads, { token: await app.userToken(grace), body: {} })).json();
    expect(await request('DELETE', '/apps/lighthouse/compass/users/grace@example.com?keep_tokens=true')).toBe(204);
    expect(await use(remaining)).toBe(200);
    const query = { token: decodeURIComponent(upload.url_encoded_token), file_name: 'a.apk', file_size: '9' };
    const sent = await app.call('POST', `/upload/set_metadata/${upload.package_asset_id}`, { query });
    expect(sent.statusCode).toBe(409);
    const post = async (path: string, body: object) =>
      (await app.call('POST', `/v0.1/apps/lighthouse/compass/${path}`, { token: remaining, body })).statusCode;
    expect(await post('api_tokens', {})).toBe(403);
    expect(await post('invitations', { user_email: 'grace@example.com', role: 'admin' })).toBe(403);
  });

  test.each(Object.entries(losses).filter(([, { lose }]) => lose.toString().includes('DELETE')))(
    'cannot be created while the permission is being revoked: %s',
    async (_, { gain, lose }) => {
      for (const [table, isCreatedFirst] of [
        ['api_tokens', true],
        ['audit_events', false],
      ] as const) {
        const fixed = await fixture(dialect);
        const { app, grace, use } = fixed;
        await gain(fixed);
        const graces = await app.userToken(grace);
        let made = '';
        const create = async () => {
          const body = { scope: ['all'] };
          const response = await app.call('POST', '/v0.1/apps/lighthouse/compass/api_tokens', { token: graces, body });
          if (response.statusCode === 201) made = response.json().api_token;
          return response.statusCode;
        };
        const remove = () => lose(fixed);
        const statuses = await atOnce(app, isCreatedFirst ? [create, remove] : [remove, create], table);
        expect(statuses).toContain(204);
        if (made) expect(await use(made)).toBe(401);
        else expect([403, 404]).toContain(statuses[1]);
      }
    },
  );
});

eachDatabase('an unfinished upload', (dialect) => {
  test.each(Object.entries(losses))('ends when its uploader loses the permission: %s', async (_, { gain, lose }) => {
    const fixed = await fixture(dialect);
    const { app, ada, grace, compass } = fixed;
    await gain(fixed);
    const begin = async (token: string) =>
      (await app.call('POST', '/v0.1/apps/lighthouse/compass/uploads/releases', { token, body: {} })).json() as {
        package_asset_id: string;
        url_encoded_token: string;
      };
    const announce = async ({ package_asset_id: id, url_encoded_token: token }: Awaited<ReturnType<typeof begin>>) =>
      (await app.call('POST', `/upload/set_metadata/${id}?token=${token}&file_name=a.apk&file_size=9`)).statusCode;
    const uploads = [
      await begin(await app.userToken(grace)),
      await begin(await app.appToken(compass, grace)),
      await begin(await app.userToken(ada)),
    ];
    const announced = async () => {
      const statuses = [];
      for (const upload of uploads) statuses.push(await announce(upload));
      return statuses;
    };
    expect(await announced()).toEqual([200, 200, 200]);
    expect(await lose(fixed)).toBeLessThan(300);
    expect(await announced()).toEqual([409, 409, 200]);
  });
});

eachDatabase('a token that creates tokens', (dialect) => {
  test('creates none that outlives it, for a user, an app or a service account', async () => {
    const { app, ada, compass, request } = await fixture(dialect);
    await request('POST', '/orgs/lighthouse/service_accounts', { display_name: 'robot' });
    const end = app.deps.clock.now() + DAY;
    const ofUser = await app.userToken(ada, { expiresAt: end });
    const ofApp = await app.appToken(compass, ada, { expiresAt: end });
    const create = (token: string, path: string, expires_at?: string) =>
      app.call('POST', `/v0.1/${path}`, { token, body: { scope: ['viewer'], ...(expires_at ? { expires_at } : {}) } });
    for (const [token, path] of [
      [ofUser, 'api_tokens'],
      [ofUser, 'apps/lighthouse/compass/api_tokens'],
      [ofUser, 'orgs/lighthouse/service_accounts/robot/api_tokens'],
      [ofApp, 'apps/lighthouse/compass/api_tokens'],
    ] as const) {
      expect([path, (await create(token, path)).json().expires_at]).toEqual([path, toIso(end)]);
      const earlier = toIso(end - 1000);
      expect((await create(token, path, earlier)).json().expires_at).toBe(earlier);
      const later = await create(token, path, toIso(end + 1000));
      expect([later.statusCode, later.json().error.message]).toEqual([
        400,
        expect.stringContaining(`must not be after ${toIso(end)}`),
      ]);
    }
    const lasting = await app.userToken(ada);
    expect((await create(lasting, 'api_tokens')).json().expires_at).toBeUndefined();
  });
});
