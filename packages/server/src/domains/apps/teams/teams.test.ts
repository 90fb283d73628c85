import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const url = '/v0.1/orgs/lighthouse/teams';
const pilots = `${url}/pilots`;

/** Ada administers lighthouse, which owns compass and sextant; Grace and Mary are members; Grace is in the team pilots. */
async function createFixtures(app: TestApp) {
  const [ada, grace, mary, eve] = [
    await app.addUser('ada'),
    await app.addUser('grace'),
    await app.addUser('mary'),
    await app.addUser('eve'),
  ];
  const org = await app.addOrg(ada, 'lighthouse');
  await app.addToOrg(org, grace, 'collaborator');
  await app.addToOrg(org, mary, 'member');
  const compass = await app.addOrgApp(org, ada, 'compass');
  const sextant = await app.addOrgApp(org, ada, 'sextant');
  await app.addTeam(org, ada, 'pilots', { users: [grace], apps: [compass] });
  const tokens = {
    ada: await app.userToken(ada),
    grace: await app.userToken(grace),
    mary: await app.userToken(mary),
    eve: await app.userToken(eve),
  };
  return { org, ada, grace, mary, eve, compass, sextant, tokens };
}

/** The permission of a token's user on an app of lighthouse, read with a new request each time. */
const permissionOn = async (app: TestApp, token: string, name = 'compass') => {
  const response = await app.call('GET', `/v0.1/apps/lighthouse/${name}`, { token });
  return response.statusCode === 200 ? response.json().member_permissions[0] : response.statusCode;
};

const listAuditEvents = async (app: TestApp) =>
  app.database.query((q) =>
    q
      .selectFrom('audit_events')
      .select(['action', 'subject_kind', 'subject_name', 'org_id', 'app_id', 'before', 'after'])
      .where('action', 'like', 'team.%')
      .orderBy('id'),
  );

eachDatabase('teams', (dialect) => {
  test('are created with a chosen or derived name, read, renamed and deleted', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const token = tokens.ada;
    const body = { display_name: 'Zürich Divers', description: 'They look below.' };
    const made = await app.call('POST', url, { token, body });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toEqual({ id: expect.any(String), name: 'Zurich-Divers', ...body });
    expect((await app.call('POST', url, { token, body })).json().name).toBe('Zurich-Divers-1');
    const named = await app.call('POST', url, { token, body: { display_name: 'Cooks', name: 'galley' } });
    expect(named.json()).toEqual({ id: expect.any(String), name: 'galley', display_name: 'Cooks' });

    const reader = { token: tokens.mary };
    const names = async () =>
      (await app.call('GET', url, reader)).json().map((team: { name: string }) => team.name) as string[];
    expect(await names()).toEqual(['galley', 'pilots', 'Zurich-Divers', 'Zurich-Divers-1']);
    expect((await app.call('GET', `${url}/ZURICH-divers`, reader)).json()).toEqual(made.json());

    const renamed = await app.call('PATCH', `${url}/galley`, { token, body: { display_name: 'Bakers', name: 'oven' } });
    expect([renamed.statusCode, renamed.json()]).toEqual([200, { ...named.json(), display_name: 'Bakers' }]);
    expect((await app.call('GET', `${url}/galley`, reader)).json()).toEqual(renamed.json());

    const deleted = await app.call('DELETE', `${url}/galley`, { token });
    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await app.call('DELETE', `${url}/galley`, { token })).statusCode).toBe(404);
    expect(await names()).toEqual(['pilots', 'Zurich-Divers', 'Zurich-Divers-1']);
  });

  test.each([
    [{ name: 'pilots' }, 409],
    [{ name: 'PILOTS' }, 409],
    [{ name: '..' }, 400],
    [{ name: 'a b' }, 400],
    [{ name: 'x'.repeat(101) }, 400],
    [{ name: 'x'.repeat(100) }, 201],
    [{ display_name: '' }, 400],
    [{ display_name: undefined }, 400],
    [{ description: 'x'.repeat(1001) }, 400],
  ])('created with %j get status %i', async (change, status) => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const body = { display_name: 'Divers', ...change };
    expect((await app.call('POST', url, { token: tokens.ada, body })).statusCode).toBe(status);
  });

  test('of two organizations may have the same name and stay separate', async () => {
    const app = await testApp(dialect);
    const { ada, tokens } = await createFixtures(app);
    await app.addTeam(await app.addOrg(ada, 'harbour'), ada, 'pilots');
    const users = await app.call('GET', '/v0.1/orgs/harbour/teams/pilots/users', { token: tokens.ada });
    expect([users.statusCode, users.json()]).toEqual([200, []]);
  });

  test('hold members of the organization, once each', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const add = (user_email: string) =>
      app.call('POST', `${pilots}/users`, { token: tokens.ada, body: { user_email } });
    const added = await add('ADA@Example.com');
    expect([added.statusCode, added.json()]).toEqual([
      201,
      { email: 'ada@example.com', display_name: 'ada', name: 'ada', role: 'maintainer' },
    ]);
    expect((await app.call('GET', `${pilots}/users`, { token: tokens.mary })).json()).toEqual([
      added.json(),
      { email: 'grace@example.com', display_name: 'grace', name: 'grace', role: 'collaborator' },
    ]);
    const twice = await add('grace@example.com');
    expect([twice.statusCode, twice.json().error.message]).toEqual([
      409,
      'grace@example.com is already in the team pilots.',
    ]);
    for (const stranger of ['eve@example.com', 'nobody@example.com']) {
      const refused = await add(stranger);
      expect([refused.statusCode, refused.json().error.message]).toEqual([
        404,
        `No member of lighthouse "${stranger}" found, or you don't have access to it.`,
      ]);
    }
    expect((await add('grace')).statusCode).toBe(400);
  });

  test('hold apps of the organization, once each, as developer', async () => {
    const app = await testApp(dialect);
    const { ada, tokens } = await createFixtures(app);
    const token = tokens.ada;
    await app.addApp(ada, 'private');
    const add = (name: string) => app.call('POST', `${pilots}/apps`, { token, body: { name } });
    const added = await add('SEXTANT');
    expect([added.statusCode, added.json()]).toEqual([
      201,
      {
        ...(await app.call('GET', '/v0.1/apps/lighthouse/sextant', { token })).json(),
        team_permissions: ['developer'],
      },
    ]);
    const list = (await app.call('GET', `${pilots}/apps`, { token })).json();
    expect(list.map((one: { name: string }) => one.name)).toEqual(['compass', 'sextant']);
    expect(list[1]).toEqual(added.json());
    expect((await add('compass')).statusCode).toBe(409);
    for (const name of ['private', 'nothing']) expect((await add(name)).statusCode).toBe(404);

    const teams = await app.call('GET', '/v0.1/apps/lighthouse/sextant/teams', { token });
    expect(teams.json()).toEqual([
      { id: expect.any(String), name: 'pilots', display_name: 'pilots', permissions: ['developer'] },
    ]);
    expect((await app.call('GET', '/v0.1/apps/ada/private/teams', { token })).json()).toEqual([]);
  });

  test('use the highest of several permissions for an app', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const token = tokens.ada;
    const add = (permissions: string[]) =>
      app.call('POST', `${pilots}/apps`, { token, body: { name: 'sextant', permissions } });
    for (const wrong of [[], ['tester'], ['owner']]) expect((await add(wrong)).statusCode).toBe(400);
    const added = await add(['viewer']);
    expect([added.statusCode, added.json().team_permissions]).toEqual([201, ['viewer']]);
    await app.call('DELETE', `${pilots}/apps/sextant`, { token });
    expect((await add(['viewer', 'manager'])).json().team_permissions).toEqual(['manager']);
  });

  test('show members the apps that they can see, with their own permission', async () => {
    const app = await testApp(dialect);
    const { compass, mary, tokens } = await createFixtures(app);
    const list = async (token: string) =>
      (await app.call('GET', `${pilots}/apps`, { token }))
        .json()
        .map((one: Record<string, unknown>) => [one.name, one.member_permissions, one.team_permissions]);
    expect(await list(tokens.ada)).toEqual([['compass', ['manager'], ['developer']]]);
    expect(await list(tokens.grace)).toEqual([['compass', ['developer'], ['developer']]]);
    expect(await list(tokens.mary)).toEqual([]);
    await app.addMember(compass, mary, 'viewer');
    expect(await list(tokens.mary)).toEqual([['compass', ['viewer'], ['developer']]]);
  });

  test('grant their permission on an app, and the highest permission of a user counts', async () => {
    const app = await testApp(dialect);
    const { org, ada, grace, compass, tokens } = await createFixtures(app);
    const grant = async (team: string, permissions: string[]) => {
      const response = await app.call('PATCH', `${url}/${team}/apps/compass`, {
        token: tokens.ada,
        body: { permissions },
      });
      return response.statusCode === 200 ? response.json().team_permissions : response.statusCode;
    };
    const graces = () => permissionOn(app, tokens.grace);
    expect(await graces()).toBe('developer');
    expect(await grant('pilots', ['viewer'])).toEqual(['viewer']);
    expect(await graces()).toBe('viewer');
    await app.addTeam(org, ada, 'divers', { users: [grace], apps: [compass] });
    expect(await graces()).toBe('developer');
    expect(await grant('pilots', ['viewer', 'manager', 'developer'])).toEqual(['manager']);
    expect(await graces()).toBe('manager');
    const body = { description: 'Finds north.' };
    const changed = await app.call('PATCH', '/v0.1/apps/lighthouse/compass', { token: tokens.grace, body });
    expect(changed.statusCode).toBe(200);
    const readOnly = await app.userToken(grace, { scope: ['viewer'] });
    expect(await permissionOn(app, readOnly)).toBe('viewer');
    await app.addMember(compass, grace, 'tester');
    expect(await graces()).toBe('manager');
    expect(await grant('pilots', ['viewer'])).toEqual(['viewer']);
    expect(await graces()).toBe('developer');
    expect(await permissionOn(app, tokens.mary)).toBe(404);

    const teams = await app.call('GET', '/v0.1/apps/lighthouse/compass/teams', { token: tokens.grace });
    expect(teams.json()).toMatchObject([
      { name: 'divers', permissions: ['developer'] },
      { name: 'pilots', permissions: ['viewer'] },
    ]);
    for (const wrong of [[], ['tester'], ['owner']]) expect(await grant('pilots', wrong)).toBe(400);
    expect(await grant('nobody', ['viewer'])).toBe(404);
  });

  test.each([
    ['the member leaves the team', `${pilots}/users/grace`],
    ['the app leaves the team', `${pilots}/apps/compass`],
    ['the team is deleted', pilots],
    ['the member leaves the organization', '/v0.1/orgs/lighthouse/users/grace'],
  ])('grant nothing from the next request after %s', async (_what, path) => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    expect(await permissionOn(app, tokens.grace)).toBe('developer');
    const removed = await app.call('DELETE', path, { token: tokens.ada });
    expect([removed.statusCode, removed.body]).toEqual([204, '']);
    expect(await permissionOn(app, tokens.grace)).toBe(404);
    expect((await app.call('GET', '/v0.1/apps', { token: tokens.grace })).json()).toEqual([]);
    expect((await app.call('DELETE', path, { token: tokens.ada })).statusCode).toBe(404);
  });

  test('of other organizations keep a member who leaves one', async () => {
    const app = await testApp(dialect);
    const { org, ada, eve, mary, tokens } = await createFixtures(app);
    const organization = await app.addOrg(eve, 'harbour');
    await app.addToOrg(organization, mary, 'member');
    const [anchor, buoy] = [
      await app.addOrgApp(organization, eve, 'anchor'),
      await app.addOrgApp(organization, eve, 'buoy'),
    ];
    await app.addTeam(organization, eve, 'divers', { users: [mary], apps: [anchor] });
    await app.addTeam(org, ada, 'divers', { users: [mary] });
    await app.addMember(buoy, mary, 'viewer');
    await app.addMember(await app.addApp(eve, 'compass'), mary, 'tester');
    await app.call('DELETE', '/v0.1/orgs/lighthouse/users/mary', { token: tokens.ada });
    const names = async (list: string, token: string) =>
      (await app.call('GET', list, { token })).json().map(({ name }: { name: string }) => name);
    expect(await names('/v0.1/orgs/harbour/teams/divers/users', tokens.eve)).toEqual(['mary']);
    expect(await names(`${url}/divers/users`, tokens.ada)).toEqual([]);
    expect(await names('/v0.1/apps', tokens.mary)).toEqual(['anchor', 'buoy', 'compass']);
  });

  test('do not include a member who left the organization and came back', async () => {
    const app = await testApp(dialect);
    const { org, grace, tokens } = await createFixtures(app);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse/users/grace', { token: tokens.grace })).statusCode).toBe(
      204,
    );
    await app.addToOrg(org, grace, 'collaborator');
    expect((await app.call('GET', `${pilots}/users`, { token: tokens.ada })).json()).toEqual([]);
    expect(await permissionOn(app, tokens.grace)).toBe(404);
  });

  test.each(['joins first', 'leaves first'])(
    'have no outsiders, also when a user joins while leaving the organization (%s)',
    async (order) => {
      const app = await testApp(dialect);
      const { tokens } = await createFixtures(app);
      const body = { user_email: 'mary@example.com' };
      const join = () => app.call('POST', `${pilots}/users`, { token: tokens.ada, body });
      const leave = () => app.call('DELETE', '/v0.1/orgs/lighthouse/users/mary', { token: tokens.mary });
      const statuses = (await atOnce(app, order === 'joins first' ? [join, leave] : [leave, join])).map(
        ({ statusCode }) => statusCode,
      );
      expect(statuses).toEqual(order === 'joins first' ? [201, 204] : [204, 404]);
      expect(await app.database.query((q) => q.selectFrom('team_members').selectAll())).toHaveLength(1);
      expect(await permissionOn(app, tokens.mary)).toBe(404);
    },
  );

  test('lose an app that is transferred to another owner', async () => {
    const app = await testApp(dialect);
    const { ada, tokens } = await createFixtures(app);
    await app.addOrg(ada, 'harbour');
    const transfer = (to: string) =>
      app.call('POST', `/v0.1/apps/lighthouse/compass/transfer/${to}`, { token: tokens.ada, body: {} });
    expect((await transfer('lighthouse')).statusCode).toBe(200);
    expect(await permissionOn(app, tokens.grace)).toBe('developer');
    expect((await transfer('harbour')).statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/apps/harbour/compass', { token: tokens.grace })).statusCode).toBe(404);
    expect((await app.call('GET', `${pilots}/apps`, { token: tokens.ada })).json()).toEqual([]);
  });

  test.each(['added first', 'given first'])('lose an app that is transferred while it is added (%s)', async (order) => {
    const app = await testApp(dialect);
    const { ada, sextant, tokens } = await createFixtures(app);
    await app.addOrg(ada, 'harbour');
    const token = tokens.ada;
    const add = () => app.call('POST', `${pilots}/apps`, { token, body: { name: 'sextant' } });
    const transfer = () => app.call('POST', '/v0.1/apps/lighthouse/sextant/transfer/harbour', { token, body: {} });
    const statuses = (await atOnce(app, order === 'added first' ? [add, transfer] : [transfer, add])).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses).toEqual(order === 'added first' ? [201, 200] : [200, 404]);
    const left = await app.database.query((q) => q.selectFrom('team_apps').select('app_id'));
    expect(left.map(({ app_id }) => app_id)).not.toContain(sextant.id);
  });

  test.each([
    ['a user', 'users', { user_email: 'mary@example.com' }],
    ['an app', 'apps', { name: 'sextant' }],
  ])('that are deleted while %s is added have no members, without an unexpected error', async (_what, noun, body) => {
    for (const addsFirst of [true, false]) {
      const app = await testApp(dialect);
      const { tokens } = await createFixtures(app);
      const token = tokens.ada;
      const add = () => app.call('POST', `${pilots}/${noun}`, { token, body });
      const remove = () => app.call('DELETE', pilots, { token });
      const statuses = (await atOnce(app, addsFirst ? [add, remove] : [remove, add])).map(
        ({ statusCode }) => statusCode,
      );
      expect(statuses).toEqual(addsFirst ? [201, 204] : [204, 404]);
      expect(await app.logged()).not.toContain('unexpected error');
    }
  });

  test('lose deleted apps, and are deleted with their organization', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const token = tokens.ada;
    expect((await app.call('DELETE', '/v0.1/apps/lighthouse/compass', { token })).statusCode).toBe(204);
    expect((await app.call('GET', `${pilots}/apps`, { token })).json()).toEqual([]);
    expect((await app.call('DELETE', '/v0.1/apps/lighthouse/sextant', { token })).statusCode).toBe(204);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(204);
    expect((await app.call('GET', url, { token })).statusCode).toBe(404);
    expect(await app.database.query((q) => q.selectFrom('teams').select('id'))).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('team_members').select('user_id'))).toEqual([]);
  });

  test('can lose an app, which keeps the admins of the organization as managers', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const token = tokens.ada;
    await app.call('PATCH', `${pilots}/apps/compass`, { token, body: { permissions: ['manager'] } });
    const users = '/v0.1/apps/lighthouse/compass/users';
    expect((await app.call('DELETE', `${users}/ada@example.com`, { token: tokens.grace })).statusCode).toBe(204);
    expect((await app.call('DELETE', `${users}/grace@example.com`, { token })).json().error.message).toBe(
      'grace@example.com has access through a team or as an admin of lighthouse. Change the team or the role instead.',
    );
    expect((await app.call('DELETE', `${pilots}/users/grace`, { token })).statusCode).toBe(204);
    expect((await app.call('GET', users, { token })).json()).toMatchObject([{ name: 'ada', permissions: ['manager'] }]);
  });

  test('are changed by admins only, and hidden from strangers', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const reads = [url, pilots, `${pilots}/users`, `${pilots}/apps`].map((path) => ['GET', path, undefined] as const);
    const changes = [
      ['POST', url, { display_name: 'Divers' }],
      ['PATCH', pilots, { display_name: 'Divers' }],
      ['DELETE', pilots, undefined],
      ['POST', `${pilots}/users`, { user_email: 'mary@example.com' }],
      ['DELETE', `${pilots}/users/grace`, undefined],
      ['POST', `${pilots}/apps`, { name: 'sextant' }],
      ['PATCH', `${pilots}/apps/compass`, { permissions: ['manager'] }],
      ['DELETE', `${pilots}/apps/compass`, undefined],
    ] as const;
    const before = await listAuditEvents(app);
    for (const [method, path, body] of [...reads, ...changes]) {
      const getStatus = async (token: string) => (await app.call(method, path, { token, body })).statusCode;
      const expected = method === 'GET' ? 200 : 403;
      expect([method, path, await getStatus(tokens.mary), await getStatus(tokens.grace)]).toEqual([
        method,
        path,
        expected,
        expected,
      ]);
      expect([method, path, await getStatus(tokens.eve)]).toEqual([method, path, 404]);
    }
    expect((await app.call('GET', '/v0.1/apps/lighthouse/compass/teams', { token: tokens.eve })).statusCode).toBe(404);
    expect(await listAuditEvents(app)).toEqual(before);
  });

  test('return 404 for unknown resources', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const calls = [
      ['GET', `${url}/none`, undefined],
      ['PATCH', `${url}/none`, { display_name: 'X' }],
      ['GET', `${url}/none/users`, undefined],
      ['POST', `${url}/none/users`, { user_email: 'grace@example.com' }],
      ['GET', `${url}/none/apps`, undefined],
      ['POST', `${url}/none/apps`, { name: 'compass' }],
      ['DELETE', `${pilots}/users/mary`, undefined],
      ['PATCH', `${pilots}/apps/sextant`, { permissions: ['viewer'] }],
      ['DELETE', `${pilots}/apps/sextant`, undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      const { statusCode } = await app.call(method, path, { token: tokens.ada, body });
      expect([method, path, statusCode]).toEqual([method, path, 404]);
    }
  });

  test('record every change with the organization, and with the app if there is one', async () => {
    const app = await testApp(dialect);
    const { org, compass, tokens } = await createFixtures(app);
    const token = tokens.ada;
    await app.call('PATCH', pilots, { token, body: { display_name: 'Pilots' } });
    await app.call('PATCH', `${pilots}/apps/compass`, { token, body: { permissions: ['viewer'] } });
    await app.call('PATCH', `${pilots}/apps/compass`, { token, body: { permissions: ['viewer'] } });
    await app.call('DELETE', `${pilots}/apps/compass`, { token });
    await app.call('DELETE', `${pilots}/users/grace`, { token });
    await app.call('DELETE', pilots, { token });
    const events = await listAuditEvents(app);
    expect(events.map(({ action, app_id }) => [action, app_id])).toEqual([
      ['team.create', null],
      ['team.add_user', null],
      ['team.add_app', compass.id],
      ['team.update', null],
      ['team.set_permission', compass.id],
      ['team.remove_app', compass.id],
      ['team.remove_user', null],
      ['team.delete', null],
    ]);
    for (const { subject_kind, subject_name, org_id } of events) {
      expect([subject_kind, subject_name, org_id]).toEqual(['team', 'lighthouse/pilots', org.id]);
    }
    expect(JSON.parse(events[4]?.before ?? '')).toEqual({ app: 'compass', permission: 'developer' });
    expect(JSON.parse(events[4]?.after ?? '')).toEqual({ app: 'compass', permission: 'viewer' });
  });

  test('apply changes of one process in another from its next request', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const other = await testApp(dialect, { databaseUrl: app.deps.config.databaseUrl });
    expect(await permissionOn(other, tokens.grace)).toBe('developer');
    expect((await app.call('DELETE', `${pilots}/users/grace`, { token: tokens.ada })).statusCode).toBe(204);
    expect(await permissionOn(other, tokens.grace)).toBe(404);
  });
});
