import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../test/harness/app.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { INVITATION_LIFE } from './invitations.ts';

/** Invites a person without an account to an organization, on a server where sign-up is closed. */
async function invited(app: TestApp) {
  const ada = await app.addUser('ada');
  await app.addOrg(ada, 'lighthouse');
  const token = await app.userToken(ada);
  const body = { user_email: 'New+er@example.com', role: 'collaborator' };
  await app.call('POST', '/v0.1/orgs/lighthouse/invitations', { token, body });
  return { token, link: `/v0.1/invitations/org/${await app.mailedToken('New+er@example.com', 'org')}` };
}

const signUp = (app: TestApp, link: string, person: object = { name: 'newer', password }) =>
  app.call('POST', `${link}/sign_up`, { body: person });

eachDatabase('signing up by an invitation', (dialect) => {
  test('the link shows the inviter and the target', async () => {
    const app = await testApp(dialect);
    const { link } = await invited(app);
    expect((await app.call('GET', link)).json()).toEqual({
      email: 'New+er@example.com',
      role: 'collaborator',
      invited_by: 'ada',
      target: 'lighthouse',
      organization: { name: 'lighthouse' },
      expires_at: '2026-11-08T09:00:00.000Z',
      has_account: false,
    });
  });

  test('creates an account with the invited email address, a membership and a session; the link works once', async () => {
    const app = await testApp(dialect);
    const { link, token } = await invited(app);
    const response = await signUp(app, link);
    expect([response.statusCode, response.json()]).toMatchObject([201, { name: 'newer', email: 'New+er@example.com' }]);
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    const orgs = await app.call('GET', '/v0.1/orgs', { headers: { cookie } });
    expect(orgs.json()).toMatchObject([{ name: 'lighthouse' }]);
    const member = await app.call('GET', '/v0.1/orgs/lighthouse/users/newer', { token });
    expect(member.json().role).toBe('collaborator');
    expect((await signUp(app, link, { name: 'again', password })).statusCode).toBe(404);
    const audit = (await app.call('GET', '/v0.1/orgs/lighthouse/audit', { token })).json().values;
    expect(audit.map(({ action }: { action: string }) => action)).toContain('invitation.accept');
  });

  test('also accepts the link of a distribution group, which creates a tester', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    const groups = '/v0.1/apps/ada/compass/distribution_groups';
    await app.call('POST', groups, { token, body: { name: 'Beta' } });
    await app.call('POST', `${groups}/Beta/members`, { token, body: { user_emails: ['new@example.com'] } });
    const link = `/v0.1/invitations/group/${await app.mailedToken('new@example.com', 'group')}`;
    expect((await app.call('GET', link)).json()).toEqual({
      email: 'new@example.com',
      role: 'tester',
      target: 'compass, as a tester in the group Beta',
      app: { name: 'compass', owner: { type: 'user', name: 'ada' } },
      expires_at: '2026-11-08T09:00:00.000Z',
      has_account: false,
    });
    const response = await signUp(app, link);
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    const apps = await app.call('GET', '/v0.1/apps', { headers: { cookie } });
    expect(apps.json()).toMatchObject([{ name: 'compass', member_permissions: ['tester'] }]);
    expect((await app.call('GET', link)).statusCode).toBe(404);
  });

  test('refuses a taken name, a weak password and an existing account, and the link stays valid', async () => {
    const app = await testApp(dialect);
    const { link } = await invited(app);
    expect((await signUp(app, link, { name: 'ada', password })).statusCode).toBe(409);
    expect((await signUp(app, link, { name: 'newer', password: 'newer' })).statusCode).toBe(400);
    await app.addUser('new+er');
    expect((await app.call('GET', link)).json().has_account).toBe(true);
    expect((await signUp(app, link)).json().error).toMatchObject({
      message: expect.stringContaining('Another account uses'),
      target: 'email',
    });
    expect((await app.call('GET', link)).statusCode).toBe(200);
  });

  test('refuses a link that is wrong, expired, or of the other kind', async () => {
    const app = await testApp(dialect);
    const { link } = await invited(app);
    const wrong = [`${link}x`, link.replace('/org/', '/app/')];
    for (const each of wrong) {
      expect([(await app.call('GET', each)).statusCode, (await signUp(app, each)).statusCode]).toEqual([404, 404]);
    }
    app.advance(INVITATION_LIFE);
    expect([(await app.call('GET', link)).statusCode, (await signUp(app, link)).statusCode]).toEqual([404, 404]);
  });

  test('of two concurrent uses of the link one gets the account', async () => {
    const app = await testApp(dialect);
    const { link } = await invited(app);
    const responses = await atOnce(
      app,
      ['one', 'two'].map((name) => () => signUp(app, link, { name, password })),
    );
    expect([responses[0]?.statusCode, [404, 409].includes(responses[1]?.statusCode ?? 0)]).toEqual([201, true]);
  });
});
