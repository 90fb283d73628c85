import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { atOnce } from '../../../test/harness/races.ts';

eachDatabase('organizations', (dialect) => {
  test('whoever creates an organization is its admin, and others do not see it', async () => {
    const app = await testApp(dialect);
    const ada = await app.userToken(await app.addUser('ada'));
    const eve = await app.userToken(await app.addUser('eve'));
    const made = await app.call('POST', '/v0.1/orgs', { token: ada, body: { display_name: 'Zürich Harbour & Co.' } });
    expect([made.statusCode, made.json().name, made.json().display_name]).toEqual([
      201,
      'Zurich-Harbour-Co',
      'Zürich Harbour & Co.',
    ]);
    const url = '/v0.1/orgs/zurich-harbour-co';
    expect((await app.call('GET', `${url}/users`, { token: ada })).json()).toMatchObject([
      { name: 'ada', role: 'admin', joined_at: '2026-11-01T09:00:00.000Z' },
    ]);
    expect((await app.call('GET', '/v0.1/orgs', { token: ada })).json()).toHaveLength(1);
    expect((await app.call('GET', '/v0.1/orgs', { token: eve })).json()).toEqual([]);
    expect((await app.call('GET', url, { token: eve })).statusCode).toBe(404);
  });

  test.each([
    ['no name at all', {}, 400],
    ['a name that is taken by a user', { name: 'ADA' }, 409],
    ['a name that addresses cannot hold', { name: '..' }, 400],
    ['a name with a space', { name: 'a b' }, 400],
  ])('refuses %s', async (_what, body, status) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    expect((await app.call('POST', '/v0.1/orgs', { token, body })).statusCode).toBe(status);
  });

  test('two people who take the same name at once: one wins, the other gets 409', async () => {
    const app = await testApp(dialect);
    const tokens = [await app.userToken(await app.addUser('ada')), await app.userToken(await app.addUser('grace'))];
    const answers = await Promise.all(
      tokens.map((token) => app.call('POST', '/v0.1/orgs', { token, body: { name: 'harbour' } })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });

  test('a derived name that is taken gets a number', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const create = async () => (await app.call('POST', '/v0.1/orgs', { token, body: { display_name: 'Ada' } })).json();
    expect([(await create()).name, (await create()).name]).toEqual(['Ada-1', 'Ada-2']);
  });

  test('after a rename the old address answers reads with the new name, and refuses changes', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    const renamed = await app.call('PATCH', '/v0.1/orgs/lighthouse', { token, body: { name: 'beacon' } });
    expect([renamed.statusCode, renamed.json().name]).toEqual([200, 'beacon']);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).json().name).toBe('beacon');
    const change = await app.call('PATCH', '/v0.1/orgs/lighthouse', { token, body: { display_name: 'X' } });
    expect(change.statusCode).toBe(404);
    await app.addOrg(ada, 'lighthouse');
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).json().name).toBe('lighthouse');
  });

  test('members see, collaborators see, only admins change', async () => {
    const app = await testApp(dialect);
    const org = await app.addOrg(await app.addUser('ada'), 'lighthouse');
    for (const role of ['member', 'collaborator'] as const) {
      const user = await app.addUser(role);
      await app.addToOrg(org, user, role);
      const token = await app.userToken(user);
      expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(200);
      const answer = await app.call('PATCH', '/v0.1/orgs/lighthouse', { token, body: { display_name: 'X' } });
      expect([answer.statusCode, answer.json().error.message]).toEqual([
        403,
        `This needs the role admin in lighthouse; you are ${role}.`,
      ]);
    }
  });

  test('the last admin cannot leave or be demoted, also when two try it on each other', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, grace, 'admin');
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    const url = '/v0.1/orgs/lighthouse/users';
    const answers = await atOnce(app, [
      () => app.call('PATCH', `${url}/grace`, { token: adas, body: { role: 'member' } }),
      () => app.call('DELETE', `${url}/ada`, { token: graces }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode < 300).sort()).not.toEqual([true, true]);
    const admins = await app.database.query((q) => q.selectFrom('org_members').selectAll().where('role', '=', 'admin'));
    expect(admins).toHaveLength(1);
    const last = admins[0]?.user_id === ada.id ? { name: 'ada', token: adas } : { name: 'grace', token: graces };
    expect((await app.call('DELETE', `${url}/${last.name}`, { token: last.token })).statusCode).toBe(409);
    const demoted = await app.call('PATCH', `${url}/${last.name}`, { token: last.token, body: { role: 'member' } });
    expect([demoted.statusCode, demoted.json().error.message]).toEqual([409, expect.stringContaining('last admin')]);
  });

  test('a member may leave, and loses the apps of the organization on the next request', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, grace, 'collaborator');
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token: graces, body });
    const get = () => app.call('GET', '/v0.1/apps/lighthouse/compass', { token: graces });
    expect((await get()).json().member_permissions).toEqual(['manager']);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse/users/ada', { token: graces })).statusCode).toBe(403);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse/users/grace', { token: graces })).statusCode).toBe(204);
    expect((await get()).statusCode).toBe(404);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse/users/grace', { token: adas })).statusCode).toBe(404);
  });

  test('an organization that owns apps is not deleted; the answer names them', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token, body });
    const refused = await app.call('DELETE', '/v0.1/orgs/lighthouse', { token });
    expect([refused.statusCode, refused.json().error.message]).toEqual([409, expect.stringContaining('Compass')]);
    await app.call('DELETE', '/v0.1/apps/lighthouse/compass', { token });
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(204);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(404);
  });

  test('an organization that owns subscriptions is not deleted; the answer names them beside its apps', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const org = await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    await app.addOrgApp(org, ada, 'compass');
    await app.addSubscription('7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b01', 'lighthouse');
    const refused = await app.call('DELETE', '/v0.1/orgs/lighthouse', { token });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      'lighthouse still owns apps (compass) and subscriptions (Harbour); delete them or give them to another owner first.',
    ]);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(200);
  });
});
