import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { atOnce } from '../../../test/harness/races.ts';
import type { DialectName } from '../../db/connection.ts';
import { DAY, toIso } from '../../kernel/clock.ts';

/** Ada leads an organization with an app; Grace gets access to it in the way that a test names. */
async function fixture(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const org = await app.addOrg(ada, 'lighthouse');
  const compass = await app.addOrgApp(org, ada, 'compass');
  const token = await app.userToken(ada);
  const ask = async (method: string, url: string, body?: object) =>
    (await app.call(method, `/v0.1${url}`, { token, ...(body ? { body } : {}) })).statusCode;
  const use = async (value: string, server: Pick<TestApp, 'http'> = app) =>
    (await server.http.inject({ url: '/v0.1/apps/lighthouse/compass', headers: { 'x-api-token': value } })).statusCode;
  return { app, ada, grace, org, compass, token, ask, use };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Ways in which Grace gets the right and loses it. */
const losses: Record<string, { gain: (f: Fixture) => Promise<unknown>; lose: (f: Fixture) => Promise<number> }> = {
  'an admin who is removed from the organization': {
    gain: ({ app, org, grace }) => app.addToOrg(org, grace, 'admin'),
    lose: ({ ask }) => ask('DELETE', '/orgs/lighthouse/users/grace'),
  },
  'an admin who becomes a collaborator': {
    gain: ({ app, org, grace }) => app.addToOrg(org, grace, 'admin'),
    lose: ({ ask }) => ask('PATCH', '/orgs/lighthouse/users/grace', { role: 'collaborator' }),
  },
  'a manager who is removed from the app': {
    gain: ({ app, compass, grace }) => app.addMember(compass, grace, 'manager'),
    lose: ({ ask }) => ask('DELETE', '/apps/lighthouse/compass/users/grace@example.com'),
  },
  'a manager who becomes a viewer': {
    gain: ({ app, compass, grace }) => app.addMember(compass, grace, 'manager'),
    lose: ({ ask }) => ask('PATCH', '/apps/lighthouse/compass/users/grace@example.com', { permissions: ['viewer'] }),
  },
  'a member who leaves the team that manages the app': {
    gain: (f) => joinTeam(f),
    lose: ({ ask }) => ask('DELETE', '/orgs/lighthouse/teams/crew/users/grace'),
  },
  'a member whose team gets less': {
    gain: (f) => joinTeam(f),
    lose: ({ ask }) => ask('PATCH', '/orgs/lighthouse/teams/crew/apps/compass', { permissions: ['viewer'] }),
  },
  'a member whose team loses the app': {
    gain: (f) => joinTeam(f),
    lose: ({ ask }) => ask('DELETE', '/orgs/lighthouse/teams/crew/apps/compass'),
  },
  'a member whose team is deleted': {
    gain: (f) => joinTeam(f),
    lose: ({ ask }) => ask('DELETE', '/orgs/lighthouse/teams/crew'),
  },
  'a manager whose account is disabled': {
    gain: ({ app, compass, grace }) => app.addMember(compass, grace, 'manager'),
    lose: ({ ask, grace }) => ask('PATCH', `/admin/users/${grace.id}`, { is_disabled: true }),
  },
};

async function joinTeam({ app, org, ada, grace, compass, ask }: Fixture) {
  await app.addToOrg(org, grace, 'member');
  await app.addTeam(org, ada, 'crew', { users: [grace], apps: [compass] });
  expect(await ask('PATCH', '/orgs/lighthouse/teams/crew/apps/compass', { permissions: ['manager'] })).toBe(200);
}

eachDatabase('app tokens of a creator who loses the right to create them', (dialect) => {
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
    const { app, ask, grace, compass, org, use } = await fixture(dialect);
    await app.addMember(compass, grace, 'manager');
    const tokens = [await app.appToken(compass, grace), await app.appToken(compass, grace, { scope: ['viewer'] })];
    const all = async () => [await use(tokens[0] ?? ''), await use(tokens[1] ?? '')];
    await app.addToOrg(org, grace, 'admin');
    const user = '/apps/lighthouse/compass/users/grace@example.com';
    expect(await ask('PATCH', user, { permissions: ['developer'] })).toBe(204);
    expect(await all()).toEqual([200, 200]);
    expect(await ask('PATCH', '/orgs/lighthouse/users/grace', { role: 'member' })).toBe(200);
    expect(await all()).toEqual([401, 200]);
  });

  test('stay if the remover says so, but create no tokens and invite no one, and uploads of their creator end', async () => {
    const { app, ask, grace, compass, use } = await fixture(dialect);
    await app.addMember(compass, grace, 'manager');
    const kept = await app.appToken(compass, grace);
    const uploads = '/v0.1/apps/lighthouse/compass/uploads/releases';
    const upload = (await app.call('POST', uploads, { token: await app.userToken(grace), body: {} })).json();
    expect(await ask('DELETE', '/apps/lighthouse/compass/users/grace@example.com?keep_tokens=true')).toBe(204);
    expect(await use(kept)).toBe(200);
    const query = { token: decodeURIComponent(upload.url_encoded_token), file_name: 'a.apk', file_size: '9' };
    const sent = await app.call('POST', `/upload/set_metadata/${upload.package_asset_id}`, { query });
    expect(sent.statusCode).toBe(409);
    const post = async (path: string, body: object) =>
      (await app.call('POST', `/v0.1/apps/lighthouse/compass/${path}`, { token: kept, body })).statusCode;
    expect(await post('api_tokens', {})).toBe(403);
    expect(await post('invitations', { user_email: 'grace@example.com', role: 'admin' })).toBe(403);
  });

  test.each(Object.entries(losses).filter(([, { lose }]) => lose.toString().includes('DELETE')))(
    'cannot be created while the right is being taken away: %s',
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
          const answer = await app.call('POST', '/v0.1/apps/lighthouse/compass/api_tokens', { token: graces, body });
          if (answer.statusCode === 201) made = answer.json().api_token;
          return answer.statusCode;
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

eachDatabase('an upload that was begun', (dialect) => {
  test.each(Object.entries(losses))('ends with the right of its sender: %s', async (_, { gain, lose }) => {
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
  test('creates none that outlives it, of a user, an app or a service account', async () => {
    const { app, ada, compass, ask } = await fixture(dialect);
    await ask('POST', '/orgs/lighthouse/service_accounts', { display_name: 'robot' });
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
