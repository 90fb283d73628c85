import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { changes, recorded } from '../../../test/harness/audit.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { raiseAppPermission } from './access/app-users.ts';

const newApp = { display_name: 'Compass', os: 'Android', platform: 'Java' };

eachDatabase('apps', (dialect) => {
  test('have the fields that existing clients read, and a secret', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const token = await app.userToken(ada);
    const body = { ...newApp, description: 'Finds north.', release_type: 'Beta' };
    const made = await app.call('POST', '/v0.1/apps', { token, body });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toEqual({
      id: expect.any(String),
      description: 'Finds north.',
      display_name: 'Compass',
      release_type: 'Beta',
      name: 'Compass',
      os: 'Android',
      owner: { id: ada.id, display_name: 'ada', email: 'ada@example.com', name: 'ada', type: 'user' },
      app_secret: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      platform: 'Java',
      origin: 'appcenter',
      created_at: '2026-11-01T09:00:00.000Z',
      updated_at: '2026-11-01T09:00:00.000Z',
      member_permissions: ['manager'],
    });
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token })).json()).toEqual(made.json());
  });

  test('are rejected with an invalid pair of os and platform; the error lists the valid ones', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const response = await app.call('POST', '/v0.1/apps', { token, body: { ...newApp, platform: 'UWP' } });
    expect([response.statusCode, response.json().error.message]).toEqual([
      400,
      'The platform UWP is not available for Android apps. Choose one of Java, React-Native, Cordova, Xamarin, Unity, Custom.',
    ]);
  });

  test.each([
    [{ name: 'compass' }, 409],
    [{ name: 'COMPASS' }, 409],
    [{ name: 'x'.repeat(100) }, 201],
    [{ name: 'x'.repeat(101) }, 400],
    [{ name: 'a/b' }, 400],
    [{ display_name: '羅針盤' }, 201],
    [{ os: 'BeOS' }, 400],
  ])('with %j get status %i', async (change, status) => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const response = await app.call('POST', '/v0.1/apps', { token, body: { ...newApp, ...change } });
    expect(response.statusCode).toBe(status);
  });

  test('of two owners may have the same name', async () => {
    const app = await testApp(dialect);
    await app.addApp(await app.addUser('ada'), 'compass');
    const grace = await app.addUser('grace');
    expect((await app.addApp(grace, 'compass')).ownerName).toBe('grace');
  });

  test('lists the apps the caller can see by any access path, in the requested order', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    await app.addApp(ada, 'own');
    await app.addApp(grace, 'secret');
    await app.addMember(await app.addApp(grace, 'shared'), ada, 'tester');
    const org = await app.addOrg(grace, 'lighthouse');
    await app.addToOrg(org, ada, 'admin');
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    const body = { ...newApp, display_name: 'A first one', name: 'zebra' };
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token: graces, body });
    const list = async (query: Record<string, string> = {}) =>
      (await app.call('GET', '/v0.1/apps', { token: adas, query }))
        .json()
        .map((one: { name: string; member_permissions: string[] }) => [one.name, one.member_permissions[0]]);
    expect(await list()).toEqual([
      ['zebra', 'manager'],
      ['own', 'manager'],
      ['shared', 'tester'],
    ]);
    expect(await list({ $orderBy: 'name' })).toEqual([
      ['own', 'manager'],
      ['shared', 'tester'],
      ['zebra', 'manager'],
    ]);
    expect(await list({ $top: '1', $skip: '1' })).toEqual([['own', 'manager']]);
    expect(await list({ $skip: '99' })).toEqual([]);
    const hostile = await app.call('GET', '/v0.1/apps', { token: adas, query: { $orderBy: 'id; drop table apps' } });
    expect(hostile.statusCode).toBe(400);
  });

  test('change settings: omitted ones stay, empty ones clear, and a taken name changes nothing', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    await app.addApp(ada, 'sextant');
    const token = await app.userToken(ada);
    const patch = (body: object) => app.call('PATCH', '/v0.1/apps/ada/compass', { token, body });
    expect((await patch({ description: 'Finds north.', release_type: 'Beta' })).json()).toMatchObject({
      description: 'Finds north.',
      release_type: 'Beta',
      display_name: 'compass',
    });
    expect((await patch({ description: '' })).json()).not.toHaveProperty('description');
    expect((await patch({ name: 'Sextant', display_name: 'X' })).statusCode).toBe(409);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token })).json().display_name).toBe('compass');
    expect((await patch({ name: 'astrolabe' })).json().name).toBe('astrolabe');
    expect((await app.call('GET', '/v0.1/apps/ada/astrolabe', { token })).statusCode).toBe(200);
  });

  test('are changed by managers only, and never with a read-only token', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const patch = async (token: string) =>
      (await app.call('PATCH', '/v0.1/apps/ada/compass', { token, body: { description: 'x' } })).statusCode;
    for (const permission of ['developer', 'viewer', 'tester'] as const) {
      const user = await app.addUser(permission);
      await app.addMember(compass, user, permission);
      expect(await patch(await app.userToken(user))).toBe(403);
    }
    expect(await patch(await app.userToken(ada, { scope: ['viewer'] }))).toBe(403);
    expect(await patch(await app.appToken(compass, ada, { scope: ['viewer'] }))).toBe(403);
    expect(await patch(await app.appToken(compass, ada))).toBe(200);
  });

  test('and their tokens are rejected from the next request after deletion', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const appToken = await app.appToken(compass, ada);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token: appToken })).statusCode).toBe(200);
    expect((await app.call('DELETE', '/v0.1/apps/ada/compass', { token })).statusCode).toBe(204);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token: appToken })).statusCode).toBe(401);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token })).statusCode).toBe(404);
  });

  test('move to an organization; a name that is taken there is a 409 that changes nothing', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    await app.addApp(ada, 'sextant');
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    const move = (name: string, to: string) =>
      app.call('POST', `/v0.1/apps/ada/${name}/transfer/${to}`, { token, body: {} });
    const moved = await move('compass', 'lighthouse');
    expect([moved.statusCode, moved.json().owner]).toMatchObject([200, { name: 'lighthouse', type: 'org' }]);
    expect((await app.call('GET', '/v0.1/apps/lighthouse/compass', { token })).statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token })).statusCode).toBe(404);
    await app.call('PATCH', '/v0.1/apps/ada/sextant', { token, body: { name: 'compass' } });
    expect((await move('compass', 'lighthouse')).statusCode).toBe(409);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token })).statusCode).toBe(200);
    expect((await move('compass', 'nowhere')).statusCode).toBe(404);
  });

  test('move to one of their users, who becomes manager, but not to strangers', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    const compass = await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const move = () => app.call('POST', '/v0.1/apps/ada/compass/transfer/grace', { token, body: {} });
    expect((await move()).statusCode).toBe(404);
    await app.addMember(compass, grace, 'viewer');
    expect((await move()).json().owner).toMatchObject({ name: 'grace', type: 'user' });
    const graces = await app.userToken(grace);
    const seen = await app.call('GET', '/v0.1/apps/grace/compass', { token: graces });
    expect(seen.json().member_permissions).toEqual(['manager']);
  });

  test('do not move to an organization where the caller may not create apps', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    await app.addApp(ada, 'compass');
    const org = await app.addOrg(grace, 'lighthouse');
    const token = await app.userToken(ada);
    const move = () => app.call('POST', '/v0.1/apps/ada/compass/transfer/lighthouse', { token, body: {} });
    expect((await move()).statusCode).toBe(404);
    await app.addToOrg(org, ada, 'member');
    const refused = await move();
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      403,
      'This requires the role collaborator in lighthouse; you are member.',
    ]);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token })).statusCode).toBe(200);
    await app.addToOrg(org, ada, 'collaborator');
    expect((await move()).statusCode).toBe(200);
  });

  test('lose their tokens with a new owner, as recorded in the audit logs; users keep theirs', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    const forApp = await app.appToken(compass, ada, { description: 'nightly' });
    const move = (url: string) => app.call('POST', `/v0.1/apps/${url}`, { token, body: {} });
    const use = async (url: string) => (await app.call('GET', `/v0.1/apps/${url}`, { token: forApp })).statusCode;
    expect(await use('ada/compass')).toBe(200);
    expect((await move('ada/compass/transfer/lighthouse')).statusCode).toBe(200);
    expect(await use('lighthouse/compass')).toBe(401);
    const query = { action: 'api_token.delete' };
    const log = await app.call('GET', '/v0.1/apps/lighthouse/compass/audit', { token, query });
    expect(log.json().values).toMatchObject([{ actor: { name: 'ada' }, subject: { name: 'nightly' } }]);
  });

  test('can move to a new organization named after them', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const response = await app.call('POST', '/v0.1/apps/ada/compass/transfer_to_org', { token, body: {} });
    expect([response.statusCode, response.json().name]).toEqual([200, 'compass']);
    expect((await app.call('GET', '/v0.1/apps/compass/compass', { token })).json().owner.type).toBe('org');
  });

  test('record every change in the audit log, with values before and after', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const token = await app.userToken(ada);
    const org = await app.addOrg(ada, 'lighthouse');
    const { id } = (await app.call('POST', '/v0.1/apps', { token, body: newApp })).json();
    const icon_url = 'https://example.com/compass.png';
    const change = {
      name: 'sextant',
      display_name: 'Sextant',
      description: 'Finds stars.',
      release_type: 'Beta',
      icon_url,
    };
    await app.call('PATCH', '/v0.1/apps/ada/compass', { token, body: change });
    await app.call('POST', '/v0.1/apps/ada/sextant/transfer/lighthouse', { token, body: {} });
    await app.call('DELETE', '/v0.1/apps/lighthouse/sextant', { token });
    expect(await changes(app, 'app.')).toEqual([
      ['app.create', 'ada/Compass', undefined, { os: 'Android', platform: 'Java' }],
      ['app.update', 'ada/Compass', { name: 'Compass', display_name: 'Compass' }, change],
      ['app.transfer', 'lighthouse/sextant', { owner: 'ada' }, { owner: 'lighthouse' }],
      ['app.delete', 'lighthouse/sextant', { name: 'sextant' }, undefined],
    ]);
    const all = await recorded(app, 'app.');
    expect(all.map(({ appId, orgId }) => [appId, orgId])).toEqual([
      [id, ada.id],
      [id, ada.id],
      [id, org.id],
      [id, org.id],
    ]);
  });

  test('show when they changed, and each organization lists only its own', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const [org, other] = [await app.addOrg(ada, 'lighthouse'), await app.addOrg(ada, 'elsewhere')];
    await app.addToOrg(org, grace, 'collaborator');
    const compass = await app.addOrgApp(org, ada, 'compass');
    await app.addOrgApp(org, ada, 'Anchor');
    await app.addOrgApp(other, ada, 'sextant');
    await app.addMember(compass, grace, 'viewer');
    const token = await app.userToken(ada);
    app.advance(1000);
    const url = '/v0.1/apps/lighthouse/compass';
    expect((await app.call('PATCH', url, { token, body: { display_name: 'Zenith' } })).json()).toMatchObject({
      created_at: '2026-11-01T09:00:00.000Z',
      updated_at: '2026-11-01T09:00:01.000Z',
    });
    const names = async (path: string, query: Record<string, string> = {}) =>
      (await app.call('GET', path, { token, query }))
        .json()
        .map((one: { name: string; member_permissions: string[] }) => [one.name, one.member_permissions[0]]);
    const mine = '/v0.1/orgs/lighthouse/apps';
    const [anchor, zenith] = [
      ['Anchor', 'manager'],
      ['compass', 'manager'],
    ];
    expect(await names(mine)).toEqual([anchor, zenith]);
    expect(await names(mine, { $orderBy: 'name' })).toEqual([anchor, zenith]);
    expect(await names(mine, { $top: '1' })).toEqual([anchor]);
    expect(await names(mine, { $skip: '1' })).toEqual([zenith]);
    expect(await names('/v0.1/orgs/lighthouse/users/GRACE/apps')).toEqual([['compass', 'viewer']]);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse/users/nobody/apps', { token })).statusCode).toBe(404);
  });

  test('get a number if their name is taken, and no name that URLs cannot contain', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const create = (change: object) => app.call('POST', '/v0.1/apps', { token, body: { ...newApp, ...change } });
    expect([(await create({})).json().name, (await create({})).json().name]).toEqual(['Compass', 'Compass-1']);
    expect((await create({ name: '..' })).statusCode).toBe(400);
    const rename = await app.call('PATCH', '/v0.1/apps/ada/compass', { token, body: { name: '.' } });
    expect(rename.statusCode).toBe(400);
    const cased = await app.call('PATCH', '/v0.1/apps/ada/compass', { token, body: { name: 'COMPASS' } });
    expect([cased.statusCode, cased.json().name]).toEqual([200, 'COMPASS']);
  });

  test('keep the previous owner as manager, next to the new one', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    await app.addMember(await app.addApp(ada, 'compass'), grace, 'tester');
    const token = await app.userToken(ada);
    app.advance(1000);
    const moved = await app.call('POST', '/v0.1/apps/ada/compass/transfer/GRACE', { token, body: {} });
    expect(moved.json()).toMatchObject({ owner: { name: 'grace' }, updated_at: '2026-11-01T09:00:01.000Z' });
    const users = (await app.call('GET', '/v0.1/apps/grace/compass/users', { token })).json();
    expect(users.map((user: { name: string; permissions: string[] }) => [user.name, ...user.permissions])).toEqual([
      ['ada', 'manager'],
      ['grace', 'manager'],
    ]);
  });

  test('keep their tokens if they are moved to their current owner', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const [token, forApp] = [await app.userToken(ada), await app.appToken(compass, ada)];
    const moved = await app.call('POST', '/v0.1/apps/ada/compass/transfer/ada', { token, body: {} });
    expect(moved.statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/apps/ada/compass', { token: forApp })).statusCode).toBe(200);
  });

  test('handle two concurrent changes: one gets the name, one moves the app, and neither is undone', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const token = await app.userToken(ada);
    for (const name of ['one', 'two']) await app.addApp(ada, name);
    for (const name of ['lighthouse', 'elsewhere']) await app.addOrg(ada, name);
    const patch = (name: string, body: object) => async () =>
      (await app.call('PATCH', `/v0.1/apps/ada/${name}`, { token, body })).statusCode;
    const move = (name: string, to: string) => async () =>
      (await app.call('POST', `/v0.1/apps/ada/${name}/${to}`, { token, body: {} })).statusCode;
    expect(await atOnce(app, [patch('one', { name: 'three' }), patch('two', { name: 'three' })])).toEqual([200, 409]);
    expect(await atOnce(app, [move('three', 'transfer/lighthouse'), move('three', 'transfer/elsewhere')])).toEqual([
      200, 404,
    ]);
    expect(await atOnce(app, [move('two', 'transfer/elsewhere'), patch('two', { description: 'x' })])).toEqual([
      200, 404,
    ]);
    await app.addApp(ada, 'four');
    expect(await atOnce(app, [move('four', 'transfer_to_org'), move('four', 'transfer/elsewhere')])).toEqual([
      200, 404,
    ]);
    const owned = await app.call('GET', '/v0.1/apps?$orderBy=name', { token });
    expect(owned.json().map((one: { name: string; owner: { name: string } }) => [one.name, one.owner.name])).toEqual([
      ['four', 'four'],
      ['three', 'lighthouse'],
      ['two', 'elsewhere'],
    ]);
    expect(await app.logged()).not.toContain('unexpected error');
  });
});

eachDatabase('users of an app', (dialect) => {
  test('are listed with their highest permission from any source', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, grace, 'collaborator');
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token: graces, body: newApp });
    await app.call('PATCH', '/v0.1/apps/lighthouse/compass/users/grace@example.com', {
      token: adas,
      body: { permissions: ['viewer', 'developer'] },
    });
    const users = (await app.call('GET', '/v0.1/apps/lighthouse/compass/users', { token: graces })).json();
    expect(users.map((user: { name: string; permissions: string[] }) => [user.name, user.permissions])).toEqual([
      ['ada', ['manager']],
      ['grace', ['developer']],
    ]);
    expect(users[0]).not.toHaveProperty('is_admin');
  });

  test.each(['grace@example.com', 'GRACE@Example.com', 'grace%40example.com'])(
    'are removed by email (%s), which affects their tokens on the next request',
    async (email) => {
      const app = await testApp(dialect);
      const ada = await app.addUser('ada');
      const grace = await app.addUser('grace');
      await app.addMember(await app.addApp(ada, 'compass'), grace, 'developer');
      const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
      const see = () => app.call('GET', '/v0.1/apps/ada/compass', { token: graces });
      expect((await see()).statusCode).toBe(200);
      const removal = () => app.call('DELETE', `/v0.1/apps/ada/compass/users/${email}`, { token: adas });
      const removed = await removal();
      expect([removed.statusCode, removed.body]).toEqual([204, '']);
      expect((await see()).statusCode).toBe(404);
      expect((await removal()).statusCode).toBe(404);
    },
  );

  test('with special characters in their email are found by its URL-encoded form', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada);
    const email = 'grace+100%25@example.com'.replace('%25', '%');
    const body = { email, name: 'grace', password: 'correct horse battery' };
    const made = (await app.call('POST', '/v0.1/admin/users', { token, body })).json();
    const compass = await app.addApp(ada, 'compass');
    await app.addMember(compass, { ...ada, id: made.id, name: 'grace' }, 'viewer');
    const url = `/v0.1/apps/ada/compass/users/${encodeURIComponent(email)}`;
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
  });

  test('include the owner and the last manager, who cannot be removed; the error says why', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    await app.addMember(await app.addApp(ada, 'compass'), grace, 'manager');
    const token = await app.userToken(grace);
    const url = '/v0.1/apps/ada/compass/users/ada@example.com';
    const removed = await app.call('DELETE', url, { token });
    expect([removed.statusCode, removed.json().error.message]).toEqual([
      409,
      'ada@example.com owns the app, and the owner is always a manager. Transfer the app first.',
    ]);
    const demoted = await app.call('PATCH', url, { token, body: { permissions: ['viewer'] } });
    expect(demoted.statusCode).toBe(409);
    expect((await app.call('PATCH', url, { token, body: { permissions: ['manager'] } })).statusCode).toBe(204);
  });

  test('with access as an admin of the organization are not removed here, but there', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, await app.addUser('grace'), 'admin');
    const token = await app.userToken(ada);
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token, body: newApp });
    const response = await app.call('DELETE', '/v0.1/apps/lighthouse/compass/users/grace@example.com', { token });
    expect([response.statusCode, response.json().error.message]).toEqual([
      409,
      'grace@example.com has access through a team or as an admin of lighthouse. Change the team or the role instead.',
    ]);
  });

  test('lose one permission at a time and keep those from other sources', async () => {
    const app = await testApp(dialect);
    const [ada, grace, mary] = [await app.addUser('ada'), await app.addUser('grace'), await app.addUser('mary')];
    const compass = await app.addApp(ada, 'compass');
    await app.addMember(compass, grace, 'developer');
    await app.addMember(compass, mary, 'viewer');
    const token = await app.userToken(ada);
    const users = '/v0.1/apps/ada/compass/users';
    const list = async () =>
      (await app.call('GET', users, { token }))
        .json()
        .map((user: { name: string; permissions: string[] }) => [user.name, ...user.permissions]);
    const set = async (email: string, permissions: string[]) =>
      (await app.call('PATCH', `${users}/${email}`, { token, body: { permissions } })).statusCode;
    expect([await set('GRACE@example.com', ['viewer']), await set('grace@example.com', ['viewer'])]).toEqual([
      204, 204,
    ]);
    expect(await list()).toEqual([
      ['ada', 'manager'],
      ['grace', 'viewer'],
      ['mary', 'viewer'],
    ]);
    expect((await app.call('DELETE', `${users}/mary@example.com`, { token })).statusCode).toBe(204);
    expect(await set('mary@example.com', ['viewer'])).toBe(404);
    expect(await list()).toEqual([
      ['ada', 'manager'],
      ['grace', 'viewer'],
    ]);
    const log = (await recorded(app, 'app.')).slice(1);
    expect(log.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['app.set_permission', { user: 'grace' }, { user: 'grace', permission: 'developer' }],
      ['app.set_permission', { user: 'mary' }, { user: 'mary', permission: 'viewer' }],
      ['app.set_permission', { user: 'grace', permission: 'developer' }, { user: 'grace', permission: 'viewer' }],
      ['app.remove_user', { user: 'mary', permission: 'viewer' }, undefined],
    ]);
    const subject = { kind: 'app', id: compass.id, name: 'ada/compass' };
    for (const one of log) expect(one).toMatchObject({ subject, appId: compass.id, orgId: ada.id });
  });

  test('granting a permission never lowers a higher one', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const compass = await app.addApp(ada, 'compass');
    const token = await app.userToken(grace);
    const raise = async (permission: 'viewer' | 'developer') => {
      await raiseAppPermission({ ...app.as(ada), app: compass }, grace, permission);
      return (await app.call('GET', '/v0.1/apps/ada/compass', { token })).json().member_permissions;
    };
    expect([await raise('viewer'), await raise('developer'), await raise('viewer')]).toEqual([
      ['viewer'],
      ['developer'],
      ['developer'],
    ]);
    expect((await recorded(app, 'app.set_permission')).map(({ before }) => before?.permission)).toEqual([
      undefined,
      'viewer',
    ]);
  });

  test('include a last manager who stays, even as the only admin of the organization', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const org = await app.addOrg(ada, 'lighthouse');
    const compass = await app.addOrgApp(org, ada, 'compass');
    const token = await app.userToken(ada);
    const remove = () => app.call('DELETE', '/v0.1/apps/lighthouse/compass/users/ada@example.com', { token });
    const refused = await remove();
    expect([refused.statusCode, refused.json().error.message]).toEqual([409, expect.stringContaining('last manager')]);
    await app.addMember(compass, grace, 'developer');
    expect((await remove()).statusCode).toBe(409);
    await app.addMember(compass, grace, 'manager');
    expect((await remove()).statusCode).toBe(204);
    expect((await recorded(app, 'app.remove_user')).map(({ before, after }) => [before, after])).toEqual([
      [
        { user: 'ada', permission: 'manager' },
        { user: 'ada', permission: 'manager' },
      ],
    ]);
  });

  test.each([
    ['given first', [200, 404], 'grace'],
    ['removed first', [204, 404], 'ada'],
  ] as const)('are not removed while the app is being transferred to them (%s)', async (order, statuses, owner) => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    await app.addMember(await app.addApp(ada, 'compass'), grace, 'developer');
    const token = await app.userToken(ada);
    const transfer = async () =>
      (await app.call('POST', '/v0.1/apps/ada/compass/transfer/grace', { token, body: {} })).statusCode;
    const remove = async () =>
      (await app.call('DELETE', '/v0.1/apps/ada/compass/users/grace@example.com', { token })).statusCode;
    expect(await atOnce(app, order === 'given first' ? [transfer, remove] : [remove, transfer])).toEqual(statuses);
    const users = (await app.call('GET', `/v0.1/apps/${owner}/compass/users`, { token })).json();
    expect(users.find(({ name }: { name: string }) => name === owner)?.permissions).toEqual(['manager']);
  });

  test('two managers who change the same user concurrently are audited one after the other', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    await app.addMember(await app.addApp(ada, 'compass'), grace, 'tester');
    const token = await app.userToken(ada);
    const set = (permission: string) => async () => {
      const url = '/v0.1/apps/ada/compass/users/grace@example.com';
      return (await app.call('PATCH', url, { token, body: { permissions: [permission] } })).statusCode;
    };
    expect(await atOnce(app, [set('viewer'), set('developer')])).toEqual([204, 204]);
    const log = (await recorded(app, 'app.set_permission')).slice(1);
    expect(log.map(({ before, after }) => [before?.permission, after?.permission])).toEqual([
      ['tester', 'viewer'],
      ['viewer', 'developer'],
    ]);
  });

  test('shows the app secret to viewers and not to testers', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const compass = await app.addApp(ada, 'compass');
    const token = await app.userToken(grace);
    const secrets = async () => {
      const [listed] = (await app.call('GET', '/v0.1/apps', { token })).json();
      const one = (await app.call('GET', '/v0.1/apps/ada/compass', { token })).json();
      return [listed.app_secret, one.app_secret];
    };
    await app.addMember(compass, grace, 'tester');
    expect(await secrets()).toEqual(['', '']);
    await app.addMember(compass, grace, 'viewer');
    expect(await secrets()).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  });
});
