import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';

const url = '/v0.1/orgs/lighthouse/service_accounts';

async function lighthouse(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const org = await app.addOrg(ada, 'lighthouse');
  const token = await app.userToken(ada);
  return {
    app,
    ada,
    org,
    token,
    create: (body: object, at = url) => app.call('POST', at, { token, body }),
    remove: (name: string, at = url) => app.call('DELETE', `${at}/${name}`, { token }),
    list: async (at = url) => (await app.call('GET', at, { token })).json(),
  };
}

eachDatabase('service accounts of an organization', (dialect) => {
  test('are created with a role, collaborator by default, and listed by name', async () => {
    const { app, create, list } = await lighthouse(dialect);
    expect((await create({ display_name: 'Release robot', role: 'admin' })).statusCode).toBe(201);
    app.advance(1000);
    expect((await create({ display_name: 'Build robot', name: 'builder' })).statusCode).toBe(201);
    const id = expect.any(String);
    const [first, second] = ['2026-11-01T09:00:00.000Z', '2026-11-01T09:00:01.000Z'];
    expect(await list()).toEqual([
      { id, name: 'builder', display_name: 'Build robot', role: 'collaborator', created_at: second },
      { id, name: 'Release-robot', display_name: 'Release robot', role: 'admin', created_at: first },
    ]);
  });

  test('are members with an unverified address that cannot be used to sign in', async () => {
    const { app, token, create } = await lighthouse(dialect);
    await create({ display_name: 'Robot', name: 'Robot' });
    const members = (await app.call('GET', '/v0.1/orgs/lighthouse/users', { token })).json();
    const joined_at = '2026-11-01T09:00:00.000Z';
    expect(members).toEqual([
      { name: 'ada', display_name: 'ada', email: 'ada@example.com', role: 'admin', joined_at },
      { name: 'Robot', display_name: 'Robot', email: 'Robot@service.invalid', role: 'collaborator', joined_at },
    ]);
    const [row] = await app.database.query((q) =>
      q.selectFrom('users').selectAll().where('service_org_id', 'is not', null),
    );
    expect(row).toMatchObject({
      is_admin: 0,
      is_disabled: 0,
      is_email_verified: 0,
      email_key: 'robot@service.invalid',
    });
    const response = await app.call('POST', '/v0.1/sessions', { body: { login: 'robot', password } });
    expect(response.statusCode).toBe(401);
  });

  test.each([
    ['in use', { name: 'ADA' }, 409],
    ['that addresses cannot hold', { name: '..' }, 400],
  ])('reject the name %s', async (_what, body, status) => {
    const { create, list } = await lighthouse(dialect);
    expect((await create({ display_name: 'Robot', ...body })).statusCode).toBe(status);
    expect(await list()).toEqual([]);
  });

  test('belong to one organization: another one can neither list nor delete them, and users are not among them', async () => {
    const { app, ada, org, create, remove, list } = await lighthouse(dialect);
    await app.addOrg(ada, 'elsewhere');
    await app.addToOrg(org, await app.addUser('grace'), 'member');
    await create({ display_name: 'Robot' });
    const others = '/v0.1/orgs/elsewhere/service_accounts';
    expect(await list(others)).toEqual([]);
    expect((await remove('robot', others)).statusCode).toBe(404);
    expect([(await remove('grace')).statusCode, (await remove('nobody')).statusCode]).toEqual([404, 404]);
    expect((await list()).length).toBe(1);
  });

  test('are deleted one by one, which frees their name', async () => {
    const { create, remove, list } = await lighthouse(dialect);
    await create({ display_name: 'One' });
    await create({ display_name: 'Two' });
    expect((await remove('ONE')).statusCode).toBe(204);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Two']);
    expect((await remove('one')).statusCode).toBe(404);
    expect((await create({ display_name: 'One', name: 'one' })).statusCode).toBe(201);
  });

  test('are not deleted while they are the last admin or own an app', async () => {
    const { app, token, create, remove } = await lighthouse(dialect);
    await create({ display_name: 'Robot', role: 'admin' });
    const made = (await app.call('POST', `${url}/robot/api_tokens`, { token, body: {} })).json().api_token;
    await app.call('PATCH', '/v0.1/orgs/lighthouse/users/ada', { token, body: { role: 'member' } });
    const last = await app.call('DELETE', `${url}/robot`, { token: made });
    expect([last.statusCode, last.json().error.message]).toEqual([409, expect.stringContaining('last admin')]);
    await app.call('PATCH', '/v0.1/orgs/lighthouse/users/ada', { token: made, body: { role: 'admin' } });
    const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
    await app.call('POST', '/v0.1/apps', { token: made, body });
    const owner = await remove('robot');
    expect([owner.statusCode, owner.json().error.message]).toEqual([409, expect.stringContaining('Compass')]);
  });

  test('are deleted with their organization; those of others stay', async () => {
    const { app, ada, token, create, list } = await lighthouse(dialect);
    await app.addOrg(ada, 'elsewhere');
    const others = '/v0.1/orgs/elsewhere/service_accounts';
    await create({ display_name: 'Robot' });
    await create({ display_name: 'Other robot' }, others);
    expect((await app.call('DELETE', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(204);
    expect((await list(others)).length).toBe(1);
    expect(await app.database.query((q) => q.selectFrom('users').select('id'))).toHaveLength(2);
  });

  test('are recorded in the audit log of their organization, from creation to deletion', async () => {
    const { app, org, create, remove } = await lighthouse(dialect);
    const { id } = (await create({ display_name: 'Robot', role: 'member' })).json();
    await remove('robot');
    const common = { subject: { kind: 'user', id, name: 'Robot' }, by: 'ada', orgId: org.id };
    expect(await recorded(app, 'service_account.')).toMatchObject([
      { action: 'service_account.create', ...common, after: { role: 'member' } },
      { action: 'service_account.delete', ...common, before: { role: 'member' } },
    ]);
  });
});
