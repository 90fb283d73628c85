import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { changes, recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { findMemberByEmail, joinOrg, type Org } from './orgs.ts';

eachDatabase('organizations', (dialect) => {
  test('make the creator their admin and are hidden from others', async () => {
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

  test('with the same name: of two concurrent creations one succeeds and the other gets 409', async () => {
    const app = await testApp(dialect);
    const tokens = [await app.userToken(await app.addUser('ada')), await app.userToken(await app.addUser('grace'))];
    const responses = await atOnce(
      app,
      tokens.map((token) => () => app.call('POST', '/v0.1/orgs', { token, body: { name: 'harbour' } })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });

  test('add a number to a derived name that is taken', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const create = async () => (await app.call('POST', '/v0.1/orgs', { token, body: { display_name: 'Ada' } })).json();
    expect([(await create()).name, (await create()).name]).toEqual(['Ada-1', 'Ada-2']);
  });

  test('answer reads under a previous name, but refuse changes there', async () => {
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

  test('are visible to members and collaborators; only admins change them', async () => {
    const app = await testApp(dialect);
    const org = await app.addOrg(await app.addUser('ada'), 'lighthouse');
    for (const role of ['member', 'collaborator'] as const) {
      const user = await app.addUser(role);
      await app.addToOrg(org, user, role);
      const token = await app.userToken(user);
      expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(200);
      const response = await app.call('PATCH', '/v0.1/orgs/lighthouse', { token, body: { display_name: 'X' } });
      expect([response.statusCode, response.json().error.message]).toEqual([
        403,
        `This requires the role admin in lighthouse; you are ${role}.`,
      ]);
    }
  });

  test('keep their last admin, also when two admins demote each other', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const grace = await app.addUser('grace');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, grace, 'admin');
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    const url = '/v0.1/orgs/lighthouse/users';
    const responses = await atOnce(app, [
      () => app.call('PATCH', `${url}/grace`, { token: adas, body: { role: 'member' } }),
      () => app.call('DELETE', `${url}/ada`, { token: graces }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode < 300).sort()).not.toEqual([true, true]);
    const admins = await app.database.query((q) => q.selectFrom('org_members').selectAll().where('role', '=', 'admin'));
    expect(admins).toHaveLength(1);
    const last = admins[0]?.user_id === ada.id ? { name: 'ada', token: adas } : { name: 'grace', token: graces };
    expect((await app.call('DELETE', `${url}/${last.name}`, { token: last.token })).statusCode).toBe(409);
    const demoted = await app.call('PATCH', `${url}/${last.name}`, { token: last.token, body: { role: 'member' } });
    expect([demoted.statusCode, demoted.json().error.message]).toEqual([409, expect.stringContaining('last admin')]);
  });

  test('lose members who leave, along with access to apps, from the next request on', async () => {
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

  test('with apps are not deleted; the error names the apps', async () => {
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

  test('with subscriptions are not deleted; the error names them and the apps', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const org = await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    await app.addOrgApp(org, ada, 'compass');
    await app.addSubscription('7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b01', 'lighthouse');
    const refused = await app.call('DELETE', '/v0.1/orgs/lighthouse', { token });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      "Can't delete lighthouse, which still owns apps (compass) and subscriptions (Harbour). Delete or transfer them first.",
    ]);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(200);
  });

  test('are listed by name with the role of the caller, optionally only those they administer', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    for (const name of ['wharf', 'Anchorage', 'mole']) await app.addOrg(ada, name);
    await app.addToOrg(await app.addOrg(grace, 'beacon'), ada, 'collaborator');
    const token = await app.userToken(ada);
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    const all = (await app.call('GET', '/v0.1/orgs', { token })).json();
    expect(names(all)).toEqual(['Anchorage', 'beacon', 'mole', 'wharf']);
    const led = (await app.call('GET', '/v0.1/administeredOrgs', { token })).json();
    expect(names(led.organizations)).toEqual(['Anchorage', 'mole', 'wharf']);
  });

  test('list only their own members, by name', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addOrg(await app.addUser('eve'), 'elsewhere');
    for (const name of ['zoe', 'Bert']) await app.addToOrg(org, await app.addUser(name), 'member');
    const token = await app.userToken(ada);
    const list = (await app.call('GET', '/v0.1/orgs/lighthouse/users', { token })).json();
    expect(list.map(({ name }: { name: string }) => name)).toEqual(['ada', 'Bert', 'zoe']);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse/users/BERT', { token })).json()).toEqual({
      name: 'Bert',
      display_name: 'Bert',
      email: 'Bert@example.com',
      role: 'member',
      joined_at: '2026-11-01T09:00:00.000Z',
    });
    expect((await app.call('GET', '/v0.1/orgs/lighthouse/users/eve', { token })).statusCode).toBe(404);
  });

  test('are not renamed to a taken name, but to their own name in another case', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    const rename = (name: string, at = 'lighthouse') =>
      app.call('PATCH', `/v0.1/orgs/${at}`, { token, body: { name } });
    const taken = await rename('ADA');
    expect([taken.statusCode, taken.json().error]).toEqual([
      409,
      { code: 'Conflict', message: expect.stringContaining('"ADA" is taken'), target: 'name' },
    ]);
    expect((await rename('..')).statusCode).toBe(400);
    app.advance(1000);
    const cased = await rename('LightHouse');
    const at = '2026-11-01T09:00:01.000Z';
    expect([cased.statusCode, cased.json()]).toMatchObject([200, { name: 'LightHouse', updated_at: at }]);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).json()).toMatchObject({
      name: 'LightHouse',
      display_name: 'lighthouse',
      created_at: '2026-11-01T09:00:00.000Z',
      updated_at: at,
    });
  });

  test('are found under the name that they had last when a name moves between them', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addOrg(ada, 'one');
    await app.addOrg(ada, 'two');
    const token = await app.userToken(ada);
    const rename = async (at: string, name: string) =>
      (await app.call('PATCH', `/v0.1/orgs/${at}`, { token, body: { name } })).statusCode;
    const found = async (name: string) => (await app.call('GET', `/v0.1/orgs/${name}`, { token })).json().name;
    expect([await rename('one', 'uno'), await rename('two', 'one'), await rename('one', 'due')]).toEqual([
      200, 200, 200,
    ]);
    expect([await found('one'), await found('two'), await found('uno')]).toEqual(['due', 'due', 'uno']);
    expect(await rename('uno', 'one')).toBe(200);
    expect([await found('one'), await found('uno'), await found('two')]).toEqual(['one', 'one', 'due']);
  });

  test('apply a changed role on the next request and keep the date of joining', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    await app.addToOrg(await app.addOrg(ada, 'lighthouse'), grace, 'member');
    const token = await app.userToken(ada);
    app.advance(1000);
    const url = '/v0.1/orgs/lighthouse/users/grace';
    const changed = await app.call('PATCH', url, { token, body: { role: 'collaborator' } });
    expect([changed.statusCode, changed.json()]).toMatchObject([200, { name: 'grace', role: 'collaborator' }]);
    expect((await app.call('GET', url, { token })).json()).toEqual(changed.json());
    expect(changed.json().joined_at).toBe('2026-11-01T09:00:00.000Z');
    expect((await app.call('PATCH', `${url}x`, { token, body: { role: 'member' } })).statusCode).toBe(404);
  });

  test('keep a higher role of a user who joins again, and raise a lower one', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const org = await app.addOrg(ada, 'lighthouse');
    const system = systemCtx(app.deps);
    const join = async (role: 'member' | 'collaborator' | 'admin') => {
      await joinOrg(system, org.id, grace, role);
      return (await findMemberByEmail(system, org.id, 'GRACE@example.com'))?.role;
    };
    expect(await findMemberByEmail(system, org.id, 'grace@example.com')).toBeUndefined();
    expect(await findMemberByEmail(system, org.id, 'nobody@example.com')).toBeUndefined();
    expect([await join('member'), await join('admin'), await join('collaborator')]).toEqual([
      'member',
      'admin',
      'admin',
    ]);
    expect(await changes(app, 'org.add_member')).toEqual([
      ['org.add_member', 'grace', undefined, { role: 'member' }],
      ['org.add_member', 'grace', undefined, { role: 'admin' }],
    ]);
  });

  test('record every change in the audit log, but no request without a change', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const token = await app.userToken(ada);
    const { id } = (await app.call('POST', '/v0.1/orgs', { token, body: { name: 'lighthouse' } })).json();
    const patch = (url: string, body: object) => app.call('PATCH', url, { token, body });
    await patch('/v0.1/orgs/lighthouse', {});
    await patch('/v0.1/orgs/lighthouse', { name: 'lighthouse', display_name: 'lighthouse' });
    await patch('/v0.1/orgs/lighthouse', { display_name: 'Lighthouse' });
    await patch('/v0.1/orgs/lighthouse', { name: 'beacon' });
    await app.addToOrg({ id } as Org, grace, 'member');
    await patch('/v0.1/orgs/beacon/users/grace', {});
    await patch('/v0.1/orgs/beacon/users/grace', { role: 'member' });
    await patch('/v0.1/orgs/beacon/users/grace', { role: 'admin' });
    await app.call('DELETE', '/v0.1/orgs/beacon/users/grace', { token });
    await app.call('DELETE', '/v0.1/orgs/beacon', { token });
    const was = { name: 'lighthouse', display_name: 'lighthouse' };
    expect(await changes(app, 'org.')).toEqual([
      ['org.create', 'lighthouse', undefined, { name: 'lighthouse' }],
      ['org.update', 'lighthouse', was, { ...was, display_name: 'Lighthouse' }],
      ['org.update', 'beacon', { ...was, display_name: 'Lighthouse' }, { name: 'beacon', display_name: 'Lighthouse' }],
      ['org.add_member', 'grace', undefined, { role: 'member' }],
      ['org.update_member', 'grace', { role: 'member' }, { role: 'admin' }],
      ['org.remove_member', 'grace', { role: 'admin' }, undefined],
      ['org.delete', 'beacon', { name: 'beacon' }, undefined],
    ]);
    const all = await recorded(app, 'org.');
    expect(new Set(all.map(({ orgId }) => orgId))).toEqual(new Set([id]));
    expect(all.map(({ subject }) => subject.kind)).toEqual(['org', 'org', 'org', 'user', 'user', 'user', 'org']);
    expect(new Set(all.map(({ subject }) => subject.id))).toEqual(new Set([id, grace.id]));
  });

  test('apply two concurrent changes; of two concurrent requests for a name, one succeeds', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const token = await app.userToken(ada);
    await app.addOrg(ada, 'one');
    await app.addOrg(ada, 'two');
    const patch = (name: string, body: object) => async () =>
      (await app.call('PATCH', `/v0.1/orgs/${name}`, { token, body })).statusCode;
    expect(await atOnce(app, [patch('one', { display_name: 'First' }), patch('one', { name: 'uno' })])).toEqual([
      200, 200,
    ]);
    expect((await app.call('GET', '/v0.1/orgs/uno', { token })).json()).toMatchObject({ display_name: 'First' });
    expect(await atOnce(app, [patch('uno', { name: 'three' }), patch('two', { name: 'three' })])).toEqual([200, 409]);
    expect(await app.logged()).not.toContain('unexpected error');
  });
});
