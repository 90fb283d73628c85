import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes, recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { findActiveUser, isEmailVerified, updateProfile } from './users.ts';

eachDatabase('users', (dialect) => {
  test('have a profile with the fields that existing clients read', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const response = await app.call('GET', '/v0.1/user', { token: await app.userToken(ada) });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        id: ada.id,
        name: 'ada',
        display_name: 'ada',
        email: 'ada@example.com',
        can_change_password: true,
        origin: 'appcenter',
        is_admin: false,
      },
    ]);
  });

  test('see profile changes on the next request; omitted fields stay, null clears', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const patch = (body: object) => app.call('PATCH', '/v0.1/user', { token, body });
    await patch({ display_name: 'Ada Lovelace', avatar_url: 'https://example.com/ada.png' });
    const shown = async () => (await app.call('GET', '/v0.1/user', { token })).json();
    expect(await shown()).toMatchObject({ display_name: 'Ada Lovelace', avatar_url: 'https://example.com/ada.png' });
    expect((await patch({})).statusCode).toBe(200);
    expect(await shown()).toMatchObject({ display_name: 'Ada Lovelace', avatar_url: 'https://example.com/ada.png' });
    await patch({ avatar_url: null });
    expect(await shown()).not.toHaveProperty('avatar_url');
  });

  test.each([
    [{ display_name: '' }, 'display_name must not be empty.'],
    [{ display_name: '   ' }, 'display_name must not be blank.'],
    [{ display_name: 'x'.repeat(129) }, 'display_name must have at most 128 characters.'],
    [{ display_name: ['Ada'] }, 'display_name must be a string.'],
    [{ display_name: 'A\0' }, 'The body must not contain a NUL character.'],
  ])('cannot have the profile %j', async (body, message) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const response = await app.call('PATCH', '/v0.1/user', { token, body });
    expect([response.statusCode, response.json().error]).toEqual([400, { code: 'BadRequest', message }]);
  });

  test('have unique names and emails, regardless of case', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const create = (body: object) => app.call('POST', '/v0.1/admin/users', { token, body: { password, ...body } });
    expect((await create({ email: 'a@example.com', name: 'ADA' })).statusCode).toBe(409);
    expect((await create({ email: 'ADA@example.com', name: 'other' })).statusCode).toBe(409);
    expect((await app.call('GET', '/v0.1/admin/users', { token })).json().values).toHaveLength(1);
    const derived = await create({ email: 'ada@elsewhere.example' });
    expect(derived.statusCode).toBe(201);
    expect(derived.json().name).toMatch(/^ada-\w{6}$/);
  });

  test.each([
    [{ email: 'nobody' }, 'email must be an email address.'],
    [{ name: 'a b' }, /^name is not valid: Letters, digits/],
    [{ password: 'short' }, 'password must have at least 10 characters.'],
    [{ password: 'aaaaaaaaaaaa' }, /easy to guess/],
    [{ name: 'grace.hopper', password: 'Grace.Hopper' }, /easy to guess/],
  ])('are not created with %j', async (change, message) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const body = { email: 'grace@example.com', password, ...change };
    const response = await app.call('POST', '/v0.1/admin/users', { token, body });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.message).toMatch(message);
  });

  test('are administered by administrators only', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('grace'));
    for (const path of ['/v0.1/admin/users', '/v0.1/admin/audit']) {
      expect((await app.call('GET', path, { token })).statusCode).toBe(403);
    }
  });

  test('lose administrator rights on the next request', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const grace = await app.addUser('grace', { isAdmin: true });
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    expect((await app.call('GET', '/v0.1/admin/users', { token: graces })).statusCode).toBe(200);
    await app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token: adas, body: { is_admin: false } });
    expect((await app.call('GET', '/v0.1/admin/users', { token: graces })).statusCode).toBe(403);
  });

  test('include a last administrator who can be neither demoted nor disabled, also when two demote each other', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const grace = await app.addUser('grace', { isAdmin: true });
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    const demote = (id: string, token: string) =>
      app.call('PATCH', `/v0.1/admin/users/${id}`, { token, body: { is_admin: false } });
    const responses = await atOnce(app, [() => demote(grace.id, adas), () => demote(ada.id, graces)]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).not.toEqual([200, 200]);
    const left = await app.database.query((q) => q.selectFrom('users').select('id').where('is_admin', '=', 1));
    expect(left).toHaveLength(1);
    const last = left[0]?.id === ada.id ? { id: ada.id, token: adas } : { id: grace.id, token: graces };
    for (const body of [{ is_admin: false }, { is_disabled: true }]) {
      const response = await app.call('PATCH', `/v0.1/admin/users/${last.id}`, { token: last.token, body });
      expect([response.statusCode, response.json().error.code]).toEqual([409, 'Conflict']);
    }
  });

  test('who are disabled are rejected everywhere immediately and have no tokens when enabled again', async () => {
    const app = await testApp(dialect);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const grace = await app.addUser('grace');
    const token = await app.userToken(grace);
    const set = (is_disabled: boolean) =>
      app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token: admin, body: { is_disabled } });
    const basic = { authorization: `Basic ${Buffer.from(`grace:${password}`).toString('base64')}` };
    await set(true);
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(401);
    expect((await app.call('GET', '/v0.1/api_tokens', { headers: basic })).statusCode).toBe(401);
    await set(false);
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(401);
    expect((await app.call('GET', '/v0.1/api_tokens', { headers: basic })).statusCode).toBe(200);
  });

  test('who are disabled administrators do not count: the last active one can neither be demoted nor deleted', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const grace = await app.addUser('grace', { isAdmin: true });
    const token = await app.userToken(ada);
    const set = async (id: string, body: object) =>
      (await app.call('PATCH', `/v0.1/admin/users/${id}`, { token, body })).statusCode;
    expect(await set(grace.id, { is_disabled: true })).toBe(200);
    expect([await set(ada.id, { is_admin: false }), await set(ada.id, { is_disabled: true })]).toEqual([409, 409]);
    expect((await app.call('DELETE', `/v0.1/admin/users/${ada.id}`, { token })).statusCode).toBe(409);
    expect(await set(grace.id, { is_disabled: false })).toBe(200);
    expect(await set(ada.id, { is_admin: false })).toBe(200);
  });

  test('who are disabled lose the tokens that they created, including app tokens, as the audit log records', async () => {
    const app = await testApp(dialect);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const grace = await app.addUser('grace');
    const compass = await app.addApp(grace, 'compass');
    await app.userToken(grace, { description: 'own' });
    const forApp = await app.appToken(compass, grace, { description: 'of the app' });
    const set = (body: object) => app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token: admin, body });
    const revoked = async () => {
      const query = { action: 'api_token.delete' };
      const { values } = (await app.call('GET', '/v0.1/admin/audit', { token: admin, query })).json();
      return values.map((event: { subject: { name: string }; actor: { name: string } }) => [
        event.subject.name,
        event.actor.name,
      ]);
    };
    const use = async () => (await app.call('GET', '/v0.1/apps/grace/compass', { token: forApp })).statusCode;
    await set({ is_disabled: true });
    const both = [
      ['of the app', 'ada'],
      ['own', 'ada'],
    ];
    expect([await revoked(), await use()]).toEqual([both, 401]);
    await set({ is_disabled: false });
    expect([await revoked(), await use()]).toEqual([both, 401]);
  });

  test('exclude service accounts, which can neither be administrators nor sign in', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada);
    await app.addOrg(ada, 'lighthouse');
    await app.call('POST', '/v0.1/orgs/lighthouse/service_accounts', { token, body: { display_name: 'robot' } });
    const { values } = (await app.call('GET', '/v0.1/admin/users', { token })).json();
    const { id } = values.find(({ name }: { name: string }) => name === 'robot');
    const url = `/v0.1/admin/users/${id}`;
    for (const body of [
      { is_admin: true },
      { password: 'staple the battery' },
      { email: 'robot@example.com' },
      { is_email_verified: true },
    ]) {
      const response = await app.call('PATCH', url, { token, body });
      expect([body, response.statusCode, response.json().error.message]).toEqual([
        body,
        409,
        expect.stringContaining('robot is a service account'),
      ]);
    }
    expect((await app.call('PATCH', url, { token, body: { display_name: 'Robot' } })).statusCode).toBe(200);
    // Simulates a password from before service accounts were refused one.
    await app.database.transaction((db) =>
      db.query((q) =>
        q
          .updateTable('users')
          .set((eb) => ({
            password_hash: eb.selectFrom('users as a').select('password_hash').where('a.id', '=', ada.id),
          }))
          .where('id', '=', id),
      ),
    );
    const basic = (login: string) => ({
      authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
    });
    for (const login of ['robot', 'robot@service.invalid']) {
      expect((await app.call('POST', '/v0.1/sessions', { body: { login, password } })).statusCode).toBe(401);
      expect((await app.call('GET', '/v0.1/api_tokens', { headers: basic(login) })).statusCode).toBe(401);
    }
    expect((await app.call('GET', '/v0.1/api_tokens', { headers: basic('ada') })).statusCode).toBe(200);
  });

  test('cannot have an address of service accounts', async () => {
    const app = await testApp(dialect, { openSignUp: true });
    const admin = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(admin);
    const email = 'deploy@Service.invalid';
    const refused = [400, expect.stringContaining('reserved for service accounts')];
    const responses = [
      await app.call('POST', '/v0.1/users', { body: { email, password } }),
      await app.call('POST', '/v0.1/admin/users', { token, body: { email, password } }),
      await app.call('PATCH', `/v0.1/admin/users/${admin.id}`, { token, body: { email } }),
    ];
    for (const response of responses) expect([response.statusCode, response.json().error.message]).toEqual(refused);
  });

  test('have a verified email if an administrator sets it, but not after signing up', async () => {
    const app = await testApp(dialect, { openSignUp: true });
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    await app.call('POST', '/v0.1/users', { body: { email: 'eve@example.com', password } });
    await app.call('POST', '/v0.1/admin/users', { token, body: { email: 'grace@example.com', password } });
    const verified = async () => {
      const { values } = (await app.call('GET', '/v0.1/admin/users', { token })).json();
      return values.map((user: { name: string; is_email_verified: boolean }) => [user.name, user.is_email_verified]);
    };
    expect(await verified()).toEqual([
      ['ada', true],
      ['eve', false],
      ['grace', true],
    ]);
    const { id } = (await app.call('GET', '/v0.1/admin/users', { token })).json().values[1];
    const set = (body: object) => app.call('PATCH', `/v0.1/admin/users/${id}`, { token, body });
    expect((await set({ display_name: 'Eve' })).json().is_email_verified).toBe(false);
    expect((await set({ is_email_verified: true })).json().is_email_verified).toBe(true);
    expect((await set({ email: 'x@example.com', is_email_verified: false })).json().is_email_verified).toBe(false);
    expect((await set({ email: 'y@example.com' })).json().is_email_verified).toBe(true);
  });

  test('are listed by name in pages, without gaps or repetition', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('zoe', { isAdmin: true }));
    for (const name of ['Bert', 'ada', 'carl']) await app.addUser(name);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '2', ...(cursor ? { cursor } : {}) };
      const page = (await app.call('GET', '/v0.1/admin/users', { token, query })).json();
      names.push(...page.values.map((user: { name: string }) => user.name));
      cursor = page.next_cursor;
    } while (cursor);
    expect(names).toEqual(['ada', 'Bert', 'carl', 'zoe']);
  });

  test.each(['nonsense', 'W10', 'WzFd', ''])('are not listed with an invalid cursor (%j)', async (cursor) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const response = await app.call('GET', '/v0.1/admin/users', { token, query: { cursor } });
    expect(response.statusCode).toBe(cursor === '' ? 200 : 400);
  });

  test('sign up only if the operator allows it', async () => {
    const body = { email: 'grace@example.com', password };
    const closed = await testApp(dialect);
    expect((await closed.call('POST', '/v0.1/users', { body })).statusCode).toBe(403);
    const open = await testApp(dialect, { openSignUp: true });
    const response = await open.call('POST', '/v0.1/users', { body: { ...body, is_admin: true } });
    expect([response.statusCode, response.json()]).toMatchObject([201, { name: 'grace', is_admin: false }]);
  });

  test('end their other sessions by changing the password, and the old password fails', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const change = (current: string) =>
      app.call('PUT', '/v0.1/user/password', {
        token,
        body: { current_password: current, new_password: 'staple the battery' },
      });
    expect((await change('wrong password')).statusCode).toBe(403);
    expect((await change(password)).statusCode).toBe(204);
    const signIn = (secret: string) => app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password: secret } });
    expect((await signIn(password)).statusCode).toBe(401);
    expect((await signIn('staple the battery')).statusCode).toBe(201);
  });

  test('limits sign-ups per address, including failed ones', async () => {
    const app = await testApp(dialect, { openSignUp: true });
    const signUp = async (n: number, remoteAddress = '192.0.2.1') => {
      const body = { email: `user-${n}@example.com`, password };
      return (await app.call('POST', '/v0.1/users', { body, remoteAddress })).statusCode;
    };
    for (let n = 0; n < 5; n++) expect(await signUp(n)).toBe(201);
    for (let n = 0; n < 5; n++) expect(await signUp(n)).toBe(409);
    expect([await signUp(10), await signUp(11, '192.0.2.2')]).toEqual([429, 201]);
    app.advance(HOUR);
    expect(await signUp(12)).toBe(201);
  });

  test.each([true, false])(
    'revoke all their tokens with a password change if requested (%s)',
    async (revokesTokens) => {
      const app = await testApp(dialect);
      const ada = await app.addUser('ada');
      const compass = await app.addApp(ada, 'compass');
      const graces = await app.userToken(await app.addUser('grace'));
      const [token, forApp] = [await app.userToken(ada), await app.appToken(compass, ada)];
      const body = { current_password: password, new_password: 'staple the battery', revoke_tokens: revokesTokens };
      expect((await app.call('PUT', '/v0.1/user/password', { token, body })).statusCode).toBe(204);
      const use = async (value: string, url: string) => (await app.call('GET', url, { token: value })).statusCode;
      const left = revokesTokens ? 401 : 200;
      expect([await use(token, '/v0.1/user'), await use(forApp, '/v0.1/apps/ada/compass')]).toEqual([left, left]);
      expect(await use(graces, '/v0.1/user')).toBe(200);
    },
  );

  test('have the fields that administrators see', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const body = { email: 'Grace@example.com', name: 'grace', display_name: 'Grace Hopper', password, is_admin: true };
    const made = await app.call('POST', '/v0.1/admin/users', { token, body });
    expect([made.statusCode, made.json()]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'grace',
        display_name: 'Grace Hopper',
        email: 'Grace@example.com',
        can_change_password: true,
        origin: 'appcenter',
        is_admin: true,
        is_disabled: false,
        is_email_verified: true,
        is_service_account: false,
        created_at: '2026-11-01T09:00:00.000Z',
      },
    ]);
  });

  test.each([
    ['grace+tag@example.com', 'grace-tag'],
    [`${'x'.repeat(64)}@example.com`, 'x'.repeat(64)],
    ['Grace.M_H-1@example.com', 'Grace.M_H-1'],
  ])('without a name are named after %s: %s', async (email, name) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const made = await app.call('POST', '/v0.1/admin/users', { token, body: { email, password } });
    expect([made.statusCode, made.json()]).toMatchObject([201, { name, display_name: name }]);
  });

  test.each([
    ['the name', 'grace.hopper', 400],
    ['the email', 'GRACE@example.com', 400],
    ['three different characters', 'abcabcabcabc', 400],
    ['four', 'abcdabcdabcd', 201],
  ])('are created only with a password that is hard to guess: %s', async (_what, secret, status) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const body = { email: 'grace@example.com', name: 'Grace.Hopper', password: secret };
    expect((await app.call('POST', '/v0.1/admin/users', { token, body })).statusCode).toBe(status);
  });

  test('rejects passwords that are easy to guess, for oneself and for others', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada);
    const own = { current_password: password, new_password: 'ada@example.com' };
    expect((await app.call('PUT', '/v0.1/user/password', { token, body: own })).statusCode).toBe(400);
    const others = await app.call('PATCH', `/v0.1/admin/users/${ada.id}`, {
      token,
      body: { password: 'Ada@example.com' },
    });
    expect(others.statusCode).toBe(400);
    expect((await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } })).statusCode).toBe(201);
  });

  test('guess the current password no faster than at sign-in', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const change = async (current_password: string) => {
      const body = { current_password, new_password: 'staple the battery' };
      return (await app.call('PUT', '/v0.1/user/password', { token, body })).statusCode;
    };
    for (let n = 0; n < 10; n++) expect(await change('not the password')).toBe(403);
    expect(await change(password)).toBe(429);
  });

  test('change their email to an unused one or the same one in another case', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const grace = await app.addUser('grace');
    const set = async (email: string) => app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body: { email } });
    const taken = await set('ADA@example.com');
    expect([taken.statusCode, taken.json().error.message]).toEqual([409, expect.stringContaining('Another account')]);
    expect([(await set('GRACE@example.com')).json().email, (await set('g@example.com')).json().email]).toEqual([
      'GRACE@example.com',
      'g@example.com',
    ]);
    const signIn = async (login: string) =>
      (await app.call('POST', '/v0.1/sessions', { body: { login, password } })).statusCode;
    expect([await signIn('G@example.com'), await signIn('grace@example.com')]).toEqual([201, 401]);
  });

  test('are not changed if unknown; omitted fields stay', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const grace = await app.addUser('grace', { isAdmin: true });
    const set = (id: string, body: object) => app.call('PATCH', `/v0.1/admin/users/${id}`, { token, body });
    expect((await set(app.deps.newId(), { display_name: 'X' })).statusCode).toBe(404);
    const changed = await set(grace.id, { display_name: 'Grace Hopper' });
    const expected = {
      name: 'grace',
      display_name: 'Grace Hopper',
      email: grace.email,
      is_admin: true,
      is_disabled: false,
    };
    expect([changed.statusCode, changed.json()]).toMatchObject([200, expected]);
    const listed = (await app.call('GET', '/v0.1/admin/users', { token })).json().values;
    expect(listed).toMatchObject([{ name: 'ada', display_name: 'ada', email: 'ada@example.com' }, expected]);
  });

  test('are audited with the changed fields only, and not at all without a change', async () => {
    const app = await testApp(dialect, { openSignUp: true });
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada);
    const { id } = (await app.call('POST', '/v0.1/users', { body: { email: 'eve@example.com', password } })).json();
    const set = (body: object) => app.call('PATCH', `/v0.1/admin/users/${id}`, { token, body });
    await set({ display_name: 'eve', is_admin: false });
    await set({ display_name: 'Eve', is_admin: true, is_disabled: true, is_email_verified: true });
    await set({ password: 'staple the battery' });
    const secret = { current_password: password, new_password: 'staple the battery' };
    await app.call('PUT', '/v0.1/user/password', { token, body: secret });
    await app.call('PATCH', '/v0.1/user', { token, body: { avatar_url: 'https://example.com/ada.png' } });
    await app.call('DELETE', `/v0.1/admin/users/${id}`, { token });
    expect(await changes(app, 'user.')).toEqual([
      ['user.create', 'ada', undefined, { email: 'ada@example.com', is_admin: true, is_email_verified: true }],
      ['user.create', 'eve', undefined, { email: 'eve@example.com', is_admin: false, is_email_verified: false }],
      [
        'user.update',
        'eve',
        { display_name: 'eve', is_admin: false, is_disabled: false, is_email_verified: false },
        { display_name: 'Eve', is_admin: true, is_disabled: true, is_email_verified: true },
      ],
      ['user.change_password', 'eve', undefined, undefined],
      ['user.change_password', 'ada', undefined, undefined],
      ['user.update', 'ada', { avatar_url: null }, { avatar_url: 'https://example.com/ada.png' }],
      ['user.delete', 'eve', { email: 'eve@example.com', display_name: 'Eve', is_admin: true }, undefined],
    ]);
    const subjects = (await recorded(app, 'user.')).map(({ subject }) => [subject.kind, subject.id]);
    expect(subjects.map(([kind]) => kind)).toEqual(subjects.map(() => 'user'));
    expect(subjects.map(([, who]) => who)).toEqual([ada.id, id, id, id, ada.id, ada.id, id]);
  });

  test('are found while they are active', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada', { isAdmin: true }), await app.addUser('grace')];
    expect((await findActiveUser(app.deps, grace.id))?.name).toBe('grace');
    expect([await isEmailVerified(app.as(ada), grace.id), await findActiveUser(app.deps, 'nobody')]).toEqual([
      true,
      undefined,
    ]);
    const token = await app.userToken(ada);
    const body = { is_disabled: true, is_email_verified: false };
    await app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body });
    expect([await findActiveUser(app.deps, grace.id), await isEmailVerified(app.as(ada), grace.id)]).toEqual([
      undefined,
      false,
    ]);
  });

  test('are listed fifty at a time by default', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    for (let n = 0; n < 50; n++) await app.addUser(`user-${n}`);
    const first = (await app.call('GET', '/v0.1/admin/users', { token })).json();
    expect([first.values.length, typeof first.next_cursor]).toEqual([50, 'string']);
    const query = { limit: '51' };
    const all = (await app.call('GET', '/v0.1/admin/users', { token, query })).json();
    expect([all.values.length, all.next_cursor]).toEqual([51, undefined]);
  });

  test('apply two concurrent changes: changing the picture does not enable a disabled user', async () => {
    const app = await testApp(dialect);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const grace = await app.addUser('grace');
    const set = (body: object) => app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token: admin, body });
    const rename = () => updateProfile(app.as(grace), { displayName: 'Grace Hopper' });
    await atOnce<unknown>(app, [() => set({ is_disabled: true }), rename, () => set({ email: 'g@example.com' })]);
    const { values } = (await app.call('GET', '/v0.1/admin/users', { token: admin })).json();
    expect(values[1]).toMatchObject({ display_name: 'Grace Hopper', is_disabled: true, email: 'g@example.com' });
  });

  test('cannot get the same email concurrently: one succeeds', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const [grace, mary] = [await app.addUser('grace'), await app.addUser('mary')];
    const changeEmail = (id: string) => async () =>
      (await app.call('PATCH', `/v0.1/admin/users/${id}`, { token, body: { email: 'new@example.com' } })).statusCode;
    expect(await atOnce(app, [changeEmail(grace.id), changeEmail(mary.id)])).toEqual([200, 409]);
  });
});
