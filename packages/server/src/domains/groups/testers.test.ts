import { expect, test } from 'vitest';
import { withGroups } from '../../../test/harness/groups.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

const org = '/v0.1/orgs/lighthouse';
const compassUrl = '/v0.1/apps/lighthouse/compass';
const beta = `${compassUrl}/distribution_groups/beta`;
const common = `${org}/distribution_groups/common`;

eachDatabase('testers by distribution groups', (dialect) => {
  test('keep their other access: the highest permission counts, regardless of groups', async () => {
    const { add, remove, tokens, permission } = await withGroups(dialect);
    await add(beta, 'grace@example.com');
    expect(await permission(tokens.grace)).toBe('developer');
    await remove(beta, 'grace@example.com');
    expect(await permission(tokens.grace)).toBe('developer');
  });

  test('are the testers of the app and of the organization, and not users of the app', async () => {
    const { app, compass, add, accept, ask: request, tokens } = await withGroups(dialect);
    await add(beta, 'eve@example.com', 'grace@example.com', 'new@example.com');
    await add(common, 'mary@example.com', 'eve@example.com');
    await accept(tokens.eve);
    await app.addMember(compass, await app.addUser('joan'), 'tester');
    const list = async (url: string) =>
      (await request('GET', url)).body.map(({ name, permissions }: { name: string; permissions?: string[] }) => [
        name,
        permissions?.join(),
      ]);
    expect(await list(`${compassUrl}/testers`)).toEqual([
      ['eve', 'tester'],
      ['grace', 'developer'],
      ['joan', 'tester'],
      ['mary', 'tester'],
    ]);
    expect(await list(`${compassUrl}/users`)).toEqual([
      ['ada', 'manager'],
      ['grace', 'developer'],
      ['joan', 'tester'],
    ]);
    expect((await request('GET', `${org}/testers`)).body).toEqual(
      ['eve', 'grace', 'mary'].map((name) => ({ name, display_name: name, email: `${name}@example.com` })),
    );
  });

  test('who are also users of the app leave its groups when removed; access through a shared group stays, and is recorded', async () => {
    const { app, add, members, status, tokens, permission } = await withGroups(dialect);
    await add(beta, 'grace@example.com');
    await add(common, 'grace@example.com');
    expect(await status('DELETE', `${compassUrl}/users/grace@example.com`)).toBe(204);
    expect([await members(beta), await permission(tokens.grace)]).toEqual([[], 'tester']);
    const [event] = await app.database.query((q) =>
      q.selectFrom('audit_events').select(['before', 'after']).where('action', '=', 'app.remove_user'),
    );
    expect([JSON.parse(event?.before ?? ''), JSON.parse(event?.after ?? '')]).toEqual([
      { user: 'grace', permission: 'developer' },
      { user: 'grace', permission: 'tester' },
    ]);
  });

  test('who only test are removed from their group; removing them from the users of the app is refused with that advice', async () => {
    const { add, accept, reason, tokens } = await withGroups(dialect);
    await add(beta, 'eve@example.com');
    expect((await reason('DELETE', `${compassUrl}/users/eve@example.com`))[0]).toBe(404);
    await accept(tokens.eve);
    expect(await reason('DELETE', `${compassUrl}/users/Eve@example.com`)).toEqual([
      409,
      'Eve@example.com is a tester in a distribution group. Change the group instead.',
    ]);
  });

  test('who leave the organization leave its shared groups and those of its apps, pending or not', async () => {
    const { add, accept, members, status, tokens, permission } = await withGroups(dialect);
    await add(common, 'mary@example.com', 'grace@example.com');
    await add(beta, 'mary@example.com', 'grace@example.com');
    expect(await status('DELETE', `${org}/users/mary`)).toBe(204);
    expect(await permission(tokens.mary)).toBe(404);
    expect([await members(beta), await members(common)]).toEqual([
      [['grace@example.com', false]],
      [['grace@example.com', false]],
    ]);
    await add(beta, 'new@example.com');
    expect(await status('DELETE', `${org}/users/grace`)).toBe(204);
    expect(await accept(tokens.grace)).toBe(204);
    expect([await members(beta), await permission(tokens.grace)]).toEqual([[['new@example.com', true]], 404]);
  });

  test('of a deleted group, or of a removed app, lose access immediately in every process', async () => {
    const { app, add, status, tokens } = await withGroups(dialect);
    const other = await app.another();
    const sees = async (name: string) =>
      (
        await other.http.inject({
          method: 'GET',
          url: `/v0.1/apps/lighthouse/${name}`,
          headers: { 'x-api-token': tokens.mary },
        })
      ).statusCode;
    await add(common, 'mary@example.com');
    expect([await sees('compass'), await sees('sextant')]).toEqual([200, 200]);
    await status('POST', `${common}/apps/bulk_delete`, { apps: [{ name: 'compass' }] });
    expect([await sees('compass'), await sees('sextant')]).toEqual([404, 200]);
    await status('DELETE', common);
    expect(await sees('sextant')).toBe(404);
  });

  test('who leave one organization, or one app, stay in the groups of others, pending or not', async () => {
    const { app, ada, eve, mary, add, ask: request, status, tokens } = await withGroups(dialect);
    const harbour = await app.addOrg(eve, 'harbour');
    await app.addToOrg(harbour, mary, 'member');
    await app.addOrgApp(harbour, eve, 'buoy');
    const [ofBuoy, ofHarbour] = ['/v0.1/apps/harbour/buoy', '/v0.1/orgs/harbour'].map(
      (home) => `${home}/distribution_groups`,
    );
    for (const url of [ofBuoy, ofHarbour]) {
      await request('POST', url ?? '', { name: 'divers' }, tokens.eve);
      const user_emails = ['mary@example.com', 'grace@example.com'];
      await request('POST', `${url}/divers/members`, { user_emails }, tokens.eve);
    }
    await app.addMember(await app.addApp(ada, 'anchor'), mary, 'viewer');
    await add(beta, 'mary@example.com', 'new@example.com');
    const members = async (url: string | undefined) =>
      (await request('GET', `${url}/divers/members`, undefined, tokens.eve)).body.map(
        ({ email }: { email: string }) => email,
      );
    const before = [await members(ofBuoy), await members(ofHarbour)];
    expect(before.map((list) => list.sort())).toEqual([
      ['grace@example.com', 'mary@example.com'],
      ['grace@example.com', 'mary@example.com'],
    ]);
    expect(await status('DELETE', '/v0.1/apps/ada/anchor/users/mary@example.com')).toBe(204);
    expect((await request('GET', `${beta}/members`)).body).toHaveLength(2);
    expect(await status('DELETE', `${org}/users/mary`)).toBe(204);
    expect(await status('DELETE', `${org}/users/grace`)).toBe(204);
    expect([(await members(ofBuoy)).sort(), (await members(ofHarbour)).sort()]).toEqual(before);
  });
});
