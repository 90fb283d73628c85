import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { createDirectory, findAccountByEmail } from '../../../../test/harness/directory.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const active = (value: boolean) => ({ op: 'replace', path: 'active', value });

eachDatabase('access that a directory controls', (dialect) => {
  test('does not take over an account with an unverified address', async () => {
    const app = await testApp(dialect);
    const { send, patch, tokens, org } = await createDirectory(app);
    const email = 'newcomer@lighthouse.example';
    // Anyone can sign up with the address of an employee.
    const squatter = await app.addUser('squatter', { email, isEmailVerified: false });
    const body = { userName: email, displayName: 'Newcomer', emails: [{ value: email, primary: true }] };
    const refused = await send('POST', '/Users', body);
    expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('Invite the person')]);
    const token = await app.userToken(squatter);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(404);
    // Nor in two steps.
    expect((await send('POST', '/Users', { ...body, active: false })).statusCode).toBe(201);
    expect((await patch(`/Users/${squatter.id}`, active(true))).statusCode).toBe(403);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token })).statusCode).toBe(404);
    // As a member, the person has a membership that the directory controls, but keeps the account.
    await app.addToOrg(org, squatter, 'member');
    await patch(`/Users/${squatter.id}`, { op: 'replace', path: 'displayName', value: 'Renamed' });
    expect((await patch(`/Users/${squatter.id}`, active(false))).statusCode).toBe(200);
    expect(await findAccountByEmail(app, email)).toMatchObject({ display_name: 'squatter', is_disabled: 0 });
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token: tokens.grace })).statusCode).toBe(200);
  });

  test.each<[title: string, end: (directory: Awaited<ReturnType<typeof createDirectory>>, id: string) => unknown]>([
    ['PATCH', ({ patch }, id) => patch(`/Users/${id}`, active(false))],
    ['PATCH without a path', ({ patch }, id) => patch(`/Users/${id}`, { op: 'Replace', value: { active: 'False' } })],
    [
      'PUT',
      ({ send }, id) =>
        send('PUT', `/Users/${id}`, {
          userName: 'leaver@lighthouse.example',
          emails: [{ value: 'leaver@lighthouse.example', type: 'work', primary: true }],
          active: false,
        }),
    ],
    ['DELETE', ({ send }, id) => send('DELETE', `/Users/${id}`)],
  ])('disables a managed account that an admin has removed from the organization: %s', async (_title, end) => {
    const app = await testApp(dialect);
    const directory = await createDirectory(app);
    const { id } = await directory.add('leaver');
    const member = '/v0.1/orgs/lighthouse/users/leaver';
    expect((await app.call('DELETE', member, { token: directory.tokens.ada })).statusCode).toBe(204);
    // A change of something else leaves the account as it is.
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Leaver' });
    expect((await findAccountByEmail(app, 'leaver@lighthouse.example'))?.is_disabled).toBe(0);
    await end(directory, id);
    expect((await findAccountByEmail(app, 'leaver@lighthouse.example'))?.is_disabled).toBe(1);
  });

  test('does not undo a later decision of an administrator of the server', async () => {
    const app = await testApp(dialect);
    const { add, patch, send, tokens } = await createDirectory(app);
    const { id } = await add('banned');
    const decide = async (body: object) =>
      expect((await app.call('PATCH', `/v0.1/admin/users/${id}`, { token: tokens.ada, body })).statusCode).toBe(200);
    await patch(`/Users/${id}`, active(false));
    // A change that says nothing about access leaves the mark.
    await decide({ display_name: 'Banned' });
    expect((await patch(`/Users/${id}`, active(true))).statusCode).toBe(200);
    await patch(`/Users/${id}`, active(false));
    await decide({ is_disabled: false });
    await decide({ is_disabled: true, password });
    expect((await patch(`/Users/${id}`, active(true))).statusCode).toBe(403);
    await send('DELETE', `/Users/${id}`);
    const email = 'banned@lighthouse.example';
    const again = await send('POST', '/Users', { userName: email, emails: [{ value: email, primary: true }] });
    expect(again.statusCode).toBe(403);
    expect((await findAccountByEmail(app, email))?.is_disabled).toBe(1);
  });

  test('does not undo a later removal by an admin of the organization', async () => {
    const app = await testApp(dialect);
    const { send, patch, grace, org, tokens } = await createDirectory(app);
    await send('POST', '/Users', { userName: grace.email, emails: [{ value: grace.email, primary: true }] });
    await patch(`/Users/${grace.id}`, active(false));
    await app.addToOrg(org, grace, 'member');
    const member = '/v0.1/orgs/lighthouse/users/grace';
    expect((await app.call('DELETE', member, { token: tokens.ada })).statusCode).toBe(204);
    expect((await patch(`/Users/${grace.id}`, active(true))).statusCode).toBe(403);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token: tokens.grace })).statusCode).toBe(404);
  });
});
