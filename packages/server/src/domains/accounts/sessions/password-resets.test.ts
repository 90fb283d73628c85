import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { HOUR, SECOND } from '../../../kernel/clock.ts';
import { createPasswordReset, mailPasswordReset } from './password-resets.ts';

const next = 'staple the battery';

const requestReset = (app: TestApp, email: string) => app.call('POST', '/v0.1/password_resets', { body: { email } });
const use = (app: TestApp, token: string, new_password = next) =>
  app.call('POST', `/v0.1/password_resets/${token}`, { body: { new_password } });
const signIn = async (app: TestApp, login: string, secret: string) =>
  (await app.call('POST', '/v0.1/sessions', { body: { login, password: secret } })).statusCode;

const mails = (app: TestApp) => app.database.query((q) => q.selectFrom('mails').selectAll().orderBy('id'));

/** The tokens that were sent by email, oldest first. */
async function mailed(app: TestApp): Promise<string[]> {
  await app.runJobs();
  return (await mails(app)).map(({ text }) => /#token=(\w+)/.exec(text)?.[1] ?? '');
}

async function requestResetLink(app: TestApp, email: string): Promise<string> {
  await requestReset(app, email);
  return (await mailed(app)).at(-1) ?? '';
}

eachDatabase('a forgotten password', (dialect) => {
  test('is replaced through an emailed link that works once', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const token = await requestResetLink(app, 'ADA@example.com');
    expect(token).toHaveLength(43);
    expect((await use(app, token)).statusCode).toBe(204);
    expect([await signIn(app, 'ada', password), await signIn(app, 'ada', next)]).toEqual([401, 201]);
    const again = await use(app, token, 'a third password');
    expect([again.statusCode, again.json().error.message]).toEqual([
      404,
      'This link is invalid: it was used, replaced by a newer one, or has expired. Request a new one.',
    ]);
    expect(await signIn(app, 'ada', next)).toBe(201);
  });

  test('responds the same for unknown addresses, disabled users and service accounts', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const grace = await app.addUser('grace');
    const token = await app.userToken(ada);
    await app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body: { is_disabled: true } });
    await app.addOrg(ada, 'harbour');
    await app.call('POST', '/v0.1/orgs/harbour/service_accounts', { token, body: { display_name: 'robot' } });
    for (const email of ['nobody@example.com', grace.email, 'robot@service.invalid', ada.email]) {
      const response = await requestReset(app, email);
      expect([email, response.statusCode, response.body]).toEqual([email, 204, '']);
    }
    await app.runJobs();
    expect((await mails(app)).map(({ to }) => to)).toEqual([ada.email]);
  });

  test('resets end every session and leave API tokens valid', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const opened = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
    const cookie = String(opened.headers['set-cookie']).split(';')[0];
    const profile = async (call: object) => (await app.call('GET', '/v0.1/user', call)).statusCode;
    expect(await profile({ headers: { cookie } })).toBe(200);
    await use(app, await requestResetLink(app, 'ada@example.com'));
    expect([await profile({ headers: { cookie } }), await profile({ token })]).toEqual([401, 200]);
  });

  test('revokes the tokens if requested, and always when it first verifies the email', async () => {
    const app = await testApp(dialect);
    const statuses = async (name: string, isEmailVerified: boolean, body: object) => {
      const user = await app.addUser(name, { isEmailVerified });
      const own = await app.userToken(user);
      const forApp = await app.appToken(await app.addApp(user, 'compass'), user);
      const token = await requestResetLink(app, user.email);
      await app.call('POST', `/v0.1/password_resets/${token}`, { body: { new_password: next, ...body } });
      const [row] = await app.database.query((q) => q.selectFrom('users').selectAll().where('id', '=', user.id));
      return [
        (await app.call('GET', '/v0.1/user', { token: own })).statusCode,
        (await app.call('GET', `/v0.1/apps/${name}/compass`, { token: forApp })).statusCode,
        row?.is_email_verified,
      ];
    };
    expect(await statuses('ada', true, {})).toEqual([200, 200, 1]);
    expect(await statuses('grace', true, { revoke_tokens: true })).toEqual([401, 401, 1]);
    // The creator of this account had not proven access to its mailbox.
    expect(await statuses('mary', false, {})).toEqual([401, 401, 1]);
  });

  test('does not verify the email if an administrator passed on the link', async () => {
    const app = await testApp(dialect);
    const root = await app.addUser('root', { isAdmin: true });
    const eve = await app.addUser('eve', { isEmailVerified: false });
    const { link } = await createPasswordReset(app.as(root), eve.id);
    await use(app, link.split('#token=')[1] ?? '');
    const [row] = await app.database.query((q) => q.selectFrom('users').selectAll().where('id', '=', eve.id));
    expect(row?.is_email_verified).toBe(0);
  });

  test('can be reset for an hour', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const token = await requestResetLink(app, 'ada@example.com');
    app.advance(HOUR);
    expect((await use(app, token)).statusCode).toBe(404);
    expect(await signIn(app, 'ada', password)).toBe(201);
  });

  test('is set by only one of several concurrent requests with a link', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const token = await requestResetLink(app, 'ada@example.com');
    const responses = await atOnce(
      app,
      ['first of all words', 'second of all words'].map((each) => () => use(app, token, each)),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404]);
  });

  test('rejects passwords that are easy to guess; the link stays valid', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const token = await requestResetLink(app, 'ada@example.com');
    const refused = await use(app, token, 'Ada@Example.com');
    expect([refused.statusCode, refused.json().error.message]).toEqual([400, expect.stringMatching(/easy to guess/)]);
    expect((await use(app, token, 'short')).statusCode).toBe(400);
    expect((await use(app, token)).statusCode).toBe(204);
  });

  test('limits requests, whether or not the address has an account', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      for (let count = 0; count < 3; count += 1) expect((await requestReset(app, email)).statusCode).toBe(204);
      const refused = await requestReset(app, email);
      expect([refused.statusCode, refused.json().error.message]).toEqual([
        429,
        'Too many password resets. Try again later.',
      ]);
    }
    app.advance(SECOND);
    expect((await requestReset(app, 'ada@example.com')).statusCode).toBe(204);
    expect(await mailed(app)).toHaveLength(4);
  });

  test('also signs in a user whose sign-ins are being slowed down', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    for (let count = 0; count < 11; count += 1) await signIn(app, 'ada', 'wrong');
    expect(await signIn(app, 'ada', password)).toBe(429);
    await use(app, await requestResetLink(app, 'ada@example.com'));
    expect(await signIn(app, 'ada', next)).toBe(201);
  });

  test.each([
    ['a new password', { password: 'another battery' }],
    ['another e-mail', { email: 'ada@elsewhere.example' }],
    ['being disabled', { is_disabled: true }],
  ])('cannot be reset with a link from before %s', async (_what, body) => {
    const app = await testApp(dialect);
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const ada = await app.addUser('ada');
    const token = await requestResetLink(app, ada.email);
    await app.call('PATCH', `/v0.1/admin/users/${ada.id}`, { token: admin, body });
    expect((await use(app, token)).statusCode).toBe(404);
  });

  test('is reset with a link from an administrator, which replaces earlier links', async () => {
    const app = await testApp(dialect);
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const ada = await app.addUser('ada');
    const before = await requestResetLink(app, ada.email);
    const made = await app.call('POST', `/v0.1/admin/users/${ada.id}/password_reset`, { token: admin, body: {} });
    expect([made.statusCode, made.json()]).toEqual([
      201,
      {
        link: expect.stringMatching(/^https:\/\/localhost:\d+\/reset-password#token=\w{43}$/),
        expires_at: '2026-11-01T10:00:00.000Z',
      },
    ]);
    expect((await use(app, before)).statusCode).toBe(404);
    expect((await use(app, made.json().link.split('#token=')[1])).statusCode).toBe(204);
    expect(await signIn(app, 'ada', next)).toBe(201);
  });

  test('cannot be reset by administrators for service accounts, disabled users or unknown users', async () => {
    const app = await testApp(dialect);
    const root = await app.addUser('root', { isAdmin: true });
    const token = await app.userToken(root);
    const ada = await app.addUser('ada');
    await app.call('PATCH', `/v0.1/admin/users/${ada.id}`, { token, body: { is_disabled: true } });
    await app.addOrg(root, 'harbour');
    const made = await app.call('POST', '/v0.1/orgs/harbour/service_accounts', {
      token,
      body: { display_name: 'robot' },
    });
    const link = async (id: string) => {
      const response = await app.call('POST', `/v0.1/admin/users/${id}/password_reset`, { token, body: {} });
      return [response.statusCode, response.json().error.message];
    };
    expect(await link(ada.id)).toEqual([409, "Can't reset the password: ada is disabled. Enable the account first."]);
    expect(await link(made.json().id)).toEqual([
      409,
      "Can't reset the password: robot is a service account, and service accounts can't sign in.",
    ]);
    expect((await link(app.deps.newId()))[0]).toBe(404);
  });

  test('is audited from the request to the reset; neither the audit log nor the log contains the token', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const token = await requestResetLink(app, 'ada@example.com');
    await use(app, token);
    const events = await app.database.query((q) =>
      q.selectFrom('audit_events').selectAll().where('subject_kind', '=', 'password_reset').orderBy('id'),
    );
    expect(events.map(({ action, subject_name }) => [action, subject_name])).toEqual([
      ['password_reset.request', 'ada@example.com'],
      ['password_reset.use', 'ada'],
    ]);
    expect(new Set(events.map(({ subject_id }) => subject_id)).size).toBe(1);
    expect(JSON.stringify(events)).not.toContain(token);
    expect(await app.logged()).not.toContain(token);
  });

  test('sends one email even if the job runs again', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    await requestReset(app, 'ada@example.com');
    const [job] = await app.database.query((q) => q.selectFrom('jobs').selectAll());
    await app.runJobs();
    await mailPasswordReset(systemCtx(app.deps), JSON.parse(job?.payload ?? '{}'));
    expect(await mails(app)).toHaveLength(1);
  });
});
