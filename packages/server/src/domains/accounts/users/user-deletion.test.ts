import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

async function withAdmin(app: TestApp) {
  const root = await app.addUser('root', { isAdmin: true });
  const token = await app.userToken(root);
  const remove = async (id: string) => {
    const response = await app.call('DELETE', `/v0.1/admin/users/${id}`, { token });
    return [response.statusCode, response.body && response.json().error.message];
  };
  return { root, token, remove };
}

eachDatabase('deleting a user', (dialect) => {
  test('ends all access immediately, frees name and email, and keeps audit events readable', async () => {
    const app = await testApp(dialect);
    const { root, token, remove } = await withAdmin(app);
    const ada = await app.addUser('ada');
    const adas = await app.userToken(ada);
    const org = await app.addOrg(root, 'lighthouse');
    await app.addToOrg(org, ada, 'collaborator');
    const compass = await app.addOrgApp(org, root, 'compass');
    await app.addMember(compass, ada, 'manager');
    const forApp = await app.appToken(compass, ada);
    const use = async (value: string, url: string) => (await app.call('GET', url, { token: value })).statusCode;
    const both = async () => [await use(adas, '/v0.1/user'), await use(forApp, '/v0.1/apps/lighthouse/compass')];
    expect(await both()).toEqual([200, 200]);
    expect(await remove(ada.id)).toEqual([204, '']);
    expect(await both()).toEqual([401, 401]);
    expect((await remove(ada.id))[0]).toBe(404);
    const people = (await app.call('GET', '/v0.1/orgs/lighthouse/users', { token })).json();
    expect(people.map(({ name }: { name: string }) => name)).toEqual(['root']);
    await app.addUser('ada');
    const { values } = (await app.call('GET', '/v0.1/admin/audit', { token, query: { limit: '200' } })).json();
    const eventSummaries = values.map(
      (event: { action: string; actor: { name?: string }; subject: { name?: string } }) => [
        event.action,
        event.actor.name,
        event.subject.name,
      ],
    );
    expect(eventSummaries).toContainEqual(['user.delete', 'root', 'ada']);
    expect(eventSummaries).toContainEqual(['api_token.create', 'ada', undefined]);
    expect(eventSummaries.filter(([action]: string[]) => action === 'api_token.delete')).toHaveLength(2);
  });

  test('is refused while others depend on the user, and the error says what to do', async () => {
    const app = await testApp(dialect);
    const { root, token, remove } = await withAdmin(app);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    await app.addOrg(ada, 'lighthouse');
    await app.addSubscription('5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11', 'ada');
    expect(await remove(ada.id)).toEqual([
      409,
      "Can't delete ada, which still owns apps (compass) and subscriptions (Harbour). Delete or transfer them first.",
    ]);
    const grace = await app.addUser('grace');
    await app.addOrg(grace, 'jetty');
    expect(await remove(grace.id)).toEqual([
      409,
      "Can't delete grace: this is the last admin of jetty. Promote another member or delete the organization first.",
    ]);
    expect(await remove(root.id)).toEqual([409, expect.stringContaining('this is the last administrator')]);
    expect((await app.call('GET', '/v0.1/admin/users', { token })).json().values).toHaveLength(3);
  });

  test('is refused for service accounts, which organizations delete', async () => {
    const app = await testApp(dialect);
    const { root, token, remove } = await withAdmin(app);
    await app.addOrg(root, 'lighthouse');
    await app.call('POST', '/v0.1/orgs/lighthouse/service_accounts', { token, body: { display_name: 'robot' } });
    const { values } = (await app.call('GET', '/v0.1/admin/users', { token })).json();
    const robot = values.find(({ name }: { name: string }) => name === 'robot');
    expect(robot).toMatchObject({
      is_service_account: true,
      is_email_verified: false,
      can_change_password: false,
    });
    expect(await remove(robot.id)).toEqual([409, expect.stringContaining('in its organization')]);
  });

  test.each(['creates first', 'is deleted first'])(
    'does not lose an app that another user creates at the same time (%s)',
    async (order) => {
      const app = await testApp(dialect);
      const { token, remove } = await withAdmin(app);
      const ada = await app.addUser('ada');
      const adas = await app.userToken(ada);
      const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
      const create = async () => (await app.call('POST', '/v0.1/apps', { token: adas, body })).statusCode;
      const destroy = async () => Number((await remove(ada.id))[0]);
      const statuses = await atOnce(app, order === 'creates first' ? [create, destroy] : [destroy, create]);
      const apps = await app.database.query((q) => q.selectFrom('apps').select('name'));
      if (order === 'creates first') expect([statuses, apps.length]).toEqual([[201, 409], 1]);
      else expect([statuses[0], [401, 404, 409].includes(statuses[1] ?? 0), apps.length]).toEqual([204, true, 0]);
      expect(await app.logged()).not.toContain('unexpected error');
      expect((await app.call('GET', '/v0.1/admin/users', { token })).statusCode).toBe(200);
    },
  );
});
