import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

const accounts = '/v0.1/orgs/lighthouse/service_accounts';
const newApp = { display_name: 'Compass', os: 'Android', platform: 'Java' };

/** An organization with two admins and a service account, with a token created by the second admin. */
async function lighthouse(app: TestApp) {
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  await app.addToOrg(await app.addOrg(ada, 'lighthouse'), grace, 'admin');
  const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
  const made = await app.call('POST', accounts, { token: graces, body: { display_name: 'Build robot' } });
  const token = await app.call('POST', `${accounts}/build-robot/api_tokens`, { token: graces, body: {} });
  return { adas, graces, made, robot: token.json().api_token as string, tokenId: token.json().id as string };
}

eachDatabase('service accounts', (dialect) => {
  test('are members with a role, and their tokens act as them', async () => {
    const app = await testApp(dialect);
    const { adas, made, robot } = await lighthouse(app);
    expect([made.statusCode, made.json()]).toMatchObject([201, { name: 'Build-robot', role: 'collaborator' }]);
    expect((await app.call('GET', '/v0.1/user', { token: robot })).json()).toMatchObject({ name: 'Build-robot' });
    const created = await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token: robot, body: newApp });
    expect(created.statusCode).toBe(201);
    const members = (await app.call('GET', '/v0.1/orgs/lighthouse/users', { token: adas })).json();
    expect(members.map(({ name }: { name: string }) => name)).toEqual(['ada', 'Build-robot', 'grace']);
    const role = { role: 'member' };
    await app.call('PATCH', '/v0.1/orgs/lighthouse/users/build-robot', { token: adas, body: role });
    const refused = await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token: robot, body: newApp });
    expect(refused.statusCode).toBe(403);
  });

  test('continue to work when the user who created their token leaves', async () => {
    const app = await testApp(dialect);
    const { adas, robot } = await lighthouse(app);
    await app.call('DELETE', '/v0.1/orgs/lighthouse/users/grace', { token: adas });
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token: robot })).statusCode).toBe(200);
  });

  test('have tokens that admins list and revoke, immediately, with the admin in the audit log', async () => {
    const app = await testApp(dialect);
    const { adas, robot, tokenId } = await lighthouse(app);
    const listed = (await app.call('GET', `${accounts}/build-robot/api_tokens`, { token: adas })).json();
    expect(listed).toMatchObject([{ id: tokenId, created_by: 'Build-robot' }]);
    const gone = await app.call('DELETE', `${accounts}/build-robot/api_tokens/${tokenId}`, { token: adas });
    expect(gone.statusCode).toBe(204);
    expect((await app.call('GET', '/v0.1/user', { token: robot })).statusCode).toBe(401);
    const query = { action: 'api_token' };
    const log = (await app.call('GET', '/v0.1/orgs/lighthouse/audit', { token: adas, query })).json().values;
    expect(log.map((event: { action: string; actor: { name: string } }) => [event.action, event.actor.name])).toEqual([
      ['api_token.delete', 'ada'],
      ['api_token.create', 'grace'],
    ]);
  });

  test('cannot sign in or be removed like a user', async () => {
    const app = await testApp(dialect);
    const { adas } = await lighthouse(app);
    for (const login of ['build-robot', 'build-robot@service.invalid']) {
      const response = await app.call('POST', '/v0.1/sessions', { body: { login, password } });
      expect(response.statusCode).toBe(401);
    }
    const removed = await app.call('DELETE', '/v0.1/orgs/lighthouse/users/build-robot', { token: adas });
    expect([removed.statusCode, removed.json().error.message]).toEqual([409, expect.stringContaining('Delete it')]);
  });

  test('are deleted with their tokens, on their own or with their organization', async () => {
    const app = await testApp(dialect);
    const { adas, robot } = await lighthouse(app);
    const use = async (token: string) => (await app.call('GET', '/v0.1/user', { token })).statusCode;
    await app.call('POST', accounts, { token: adas, body: { name: 'second', display_name: 'Second' } });
    const second = (await app.call('POST', `${accounts}/second/api_tokens`, { token: adas, body: {} })).json()
      .api_token;
    expect([await use(robot), await use(second)]).toEqual([200, 200]);
    expect((await app.call('DELETE', `${accounts}/second`, { token: adas })).statusCode).toBe(204);
    expect([await use(robot), await use(second)]).toEqual([200, 401]);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse', { token: adas })).statusCode).toBe(204);
    expect(await use(robot)).toBe(401);
    expect(await app.database.query((q) => q.selectFrom('users').select('id'))).toHaveLength(2);
  });

  test('leave no token behind: each one is audited for what it acted for', async () => {
    const app = await testApp(dialect);
    const { adas, robot, tokenId } = await lighthouse(app);
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token: robot, body: newApp });
    const compass = '/v0.1/apps/lighthouse/compass';
    const made = (await app.call('POST', `${compass}/api_tokens`, { token: robot, body: {} })).json();
    expect((await app.call('GET', compass, { token: made.api_token })).statusCode).toBe(200);
    expect((await app.call('DELETE', `${accounts}/build-robot`, { token: adas })).statusCode).toBe(204);
    expect((await app.call('GET', compass, { token: made.api_token })).statusCode).toBe(401);
    const revoked = async (home: string) => {
      const query = { action: 'api_token.delete' };
      const { values } = (await app.call('GET', `${home}/audit`, { token: adas, query })).json();
      return values.map((event: { subject: { id: string }; actor: { name: string } }) => [
        event.subject.id,
        event.actor.name,
      ]);
    };
    expect(await revoked(compass)).toEqual([[made.id, 'ada']]);
    expect(await revoked('/v0.1/orgs/lighthouse')).toEqual([[tokenId, 'ada']]);
  });

  test('leave no token behind when their organization is deleted', async () => {
    const app = await testApp(dialect);
    const { adas, tokenId } = await lighthouse(app);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse', { token: adas })).statusCode).toBe(204);
    const gone = await app.database.query((q) =>
      q.selectFrom('audit_events').select(['subject_id', 'actor_name']).where('action', '=', 'api_token.delete'),
    );
    expect(gone).toEqual([{ subject_id: tokenId, actor_name: 'ada' }]);
  });

  test('prevent the deletion of their organization while they own apps, so that none is lost', async () => {
    const app = await testApp(dialect);
    const { adas, robot } = await lighthouse(app);
    await app.call('POST', '/v0.1/apps', { token: robot, body: newApp });
    for (const url of ['/v0.1/orgs/lighthouse', `${accounts}/build-robot`]) {
      const response = await app.call('DELETE', url, { token: adas });
      expect([response.statusCode, response.json().error.message]).toEqual([409, expect.stringContaining('Compass')]);
    }
    expect((await app.call('GET', '/v0.1/apps/build-robot/compass', { token: robot })).statusCode).toBe(200);
  });

  test('are managed only by admins of their organization', async () => {
    const app = await testApp(dialect);
    await lighthouse(app);
    const eve = await app.addUser('eve');
    await app.addOrg(eve, 'elsewhere');
    const token = await app.userToken(eve);
    expect((await app.call('GET', accounts, { token })).statusCode).toBe(404);
    const url = '/v0.1/orgs/elsewhere/service_accounts/build-robot/api_tokens';
    expect((await app.call('POST', url, { token, body: {} })).statusCode).toBe(404);
  });
});
