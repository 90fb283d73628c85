import { DEVICE_GRANT } from '@mooring/contract';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { addClient, openBrowser, TOKEN } from '../../../../test/harness/services/oauth.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { COMMAND_LINE } from '../clients/clients.ts';
import { sweepDeviceSignIns } from './device-sign-ins.ts';

const DEVICE = '/common/oauth2/devicecode';
const PAGE = '/v0.1/oauth/device_sign_in';

const start = (app: TestApp, body: object = {}) =>
  app.call('POST', DEVICE, { body: { client_id: COMMAND_LINE, device_name: 'workstation', ...body } });

const poll = (app: TestApp, device_code: string, more: object = {}) =>
  app.call('POST', TOKEN, { body: { grant_type: DEVICE_GRANT, client_id: COMMAND_LINE, device_code, ...more } });

/** A person with a browser, and a machine that waits for them. */
async function waiting(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect);
  const person = async (name: string) => {
    const user = await app.addUser(name);
    const { headers, signIn, signOut } = openBrowser(app);
    await signIn(name);
    const look = (code: string) => app.call('GET', `${PAGE}?user_code=${encodeURIComponent(code)}`, { headers });
    const decide = (code: string, is_allowed = true) =>
      app.call('POST', PAGE, { headers, body: { user_code: code, is_allowed } });
    return { user, headers, look, decide, signIn: () => signIn(name), signOut };
  };
  const grace = await person('grace');
  const { device_code, user_code, ...shown } = (await start(app)).json();
  const code: string = user_code;
  return { app, grace, person, device_code: device_code as string, code, shown };
}

eachDatabase('signing in with a device code', (dialect) => {
  test('returns an API token of the person who confirmed the code, once', async () => {
    const { app, grace, device_code, code, shown } = await waiting(dialect);
    expect(shown).toEqual({
      verification_uri: 'https://localhost:8443/cli-login',
      verification_uri_complete: `https://localhost:8443/cli-login?code=${code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const pending = await poll(app, device_code);
    expect([pending.statusCode, pending.json().error]).toEqual([400, 'authorization_pending']);
    const request = (await grace.look(code.toLowerCase().replace('-', ' '))).json();
    expect(request).toMatchObject({ client_name: 'Mooring command line', device_name: 'workstation' });
    expect((await grace.decide(code)).statusCode).toBe(204);
    const done = await poll(app, device_code);
    expect([done.statusCode, done.headers['cache-control']]).toEqual([200, 'no-store']);
    const { access_token: token, token_id } = done.json();
    expect((await app.call('GET', '/v0.1/user', { token })).json().name).toBe('grace');
    const [listed] = (await app.call('GET', '/v0.1/api_tokens', { token })).json();
    expect(listed).toMatchObject({ id: token_id, description: 'mooring CLI on workstation' });
    const replayed = await poll(app, device_code);
    expect([replayed.statusCode, replayed.json().error]).toEqual([400, 'invalid_grant']);
    expect((await changes(app, 'oauth.allow_device')).length).toBe(1);
    expect(await app.logged()).not.toContain(token);
  });

  test('returns the token to one of several parallel calls', async () => {
    const { app, grace, device_code, code } = await waiting(dialect);
    await grace.decide(code);
    const redeem = () => poll(app, device_code);
    const responses = await atOnce(app, [redeem, redeem, redeem], 'device_sign_ins');
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
  });

  test('counts only the first decision, also of another person', async () => {
    const { app, grace, person, device_code, code } = await waiting(dialect);
    const mallory = await person('mallory');
    expect((await grace.decide(code)).statusCode).toBe(204);
    for (const each of [grace, mallory]) {
      expect((await each.decide(code)).statusCode).toBe(404);
      expect((await each.look(code)).statusCode).toBe(404);
    }
    const token = (await poll(app, device_code)).json().access_token;
    expect((await app.call('GET', '/v0.1/user', { token })).json().name).toBe('grace');
  });

  test('reports a refusal, and then forgets the code', async () => {
    const { app, grace, device_code, code } = await waiting(dialect);
    expect((await grace.decide(code, false)).statusCode).toBe(204);
    expect((await poll(app, device_code)).json().error).toBe('access_denied');
    expect((await poll(app, device_code)).json().error).toBe('invalid_grant');
    expect(await changes(app, 'oauth.deny_device')).toHaveLength(1);
  });

  test('ends after 10 minutes, before and after the decision', async () => {
    const { app, grace, device_code, code } = await waiting(dialect);
    const other = (await start(app)).json();
    await grace.decide(other.user_code);
    app.advance(10 * MINUTE);
    // A decision needs a recent sign-in.
    await grace.signIn();
    expect((await grace.decide(code)).statusCode).toBe(404);
    expect((await poll(app, device_code)).json().error).toBe('expired_token');
    expect((await poll(app, other.device_code)).json().error).toBe('expired_token');
    app.advance(2 * HOUR);
    await sweepDeviceSignIns(app.deps);
    expect(await app.database.query((q) => q.selectFrom('device_sign_ins').selectAll())).toEqual([]);
  });

  test('slows down machines that call too often', async () => {
    const { app, device_code } = await waiting(dialect);
    const next = async (after: number) => {
      app.advance(after);
      return (await poll(app, device_code)).json().error;
    };
    expect([await next(0), await next(SECOND), await next(6 * SECOND), await next(15 * SECOND)]).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
    ]);
  });

  test('needs the session that confirmed the code, and an enabled person', async () => {
    const { app, grace, device_code, code } = await waiting(dialect);
    await grace.decide(code);
    await grace.signOut();
    expect((await poll(app, device_code)).json().error).toBe('access_denied');
    const again = await waiting(dialect);
    await again.grace.decide(again.code);
    const admin = await again.app.userToken(await again.app.addUser('ada', { isAdmin: true }));
    const disabled = await again.app.call('PATCH', `/v0.1/admin/users/${again.grace.user.id}`, {
      token: admin,
      body: { is_disabled: true },
    });
    expect(disabled.statusCode).toBe(200);
    expect((await poll(again.app, again.device_code)).json().error).toBe('access_denied');
  });

  test('refuses tokens, Read-Only tokens, pages of other sites and anonymous callers', async () => {
    const { app, grace, device_code, code } = await waiting(dialect);
    const body = { user_code: code, is_allowed: true };
    const token = await app.userToken(grace.user);
    expect((await app.call('POST', PAGE, { token, body })).statusCode).toBe(403);
    const headers = { ...grace.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' };
    expect((await app.call('POST', PAGE, { headers, body })).statusCode).toBe(403);
    expect((await app.call('POST', PAGE, { body })).statusCode).toBe(401);
    expect((await poll(app, device_code)).json().error).toBe('authorization_pending');
  });

  test('limits guesses of codes, even with the right one, for a limited time', async () => {
    const { grace, code } = await waiting(dialect);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => grace.decide('BCDF-GHJK')));
    expect(guesses.filter(({ statusCode }) => statusCode === 404).length).toBeLessThanOrEqual(5);
    expect((await grace.decide(code)).statusCode).toBe(429);
    expect((await grace.look(code)).statusCode).toBe(429);
  });

  test('continues to count wrong codes after a correct one', async () => {
    const { grace, code } = await waiting(dialect);
    expect((await grace.look(code)).statusCode).toBe(200);
    const guesses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      guesses.push((await grace.look('BCDF-GHJK')).statusCode);
      await grace.look(code);
    }
    expect(guesses.at(-1)).toBe(429);
  });

  test('is only for the command line, with all fields', async () => {
    const { app, device_code } = await waiting(dialect);
    const client = await addClient(app);
    const errors = async (...responses: ReturnType<typeof poll>[]) =>
      (await Promise.all(responses)).map((response) => response.json().error);
    expect(
      await errors(
        start(app, { client_id: client.id }),
        start(app, { client_id: 'x' }),
        start(app, { client_id: undefined }),
        poll(app, device_code, { client_id: client.id }),
        poll(app, 'another code'),
        poll(app, device_code, { device_code: undefined }),
        poll(app, device_code, { device_code: ['a', 'b'] }),
      ),
    ).toEqual([
      'unauthorized_client',
      'invalid_client',
      'invalid_request',
      'unauthorized_client',
      'invalid_grant',
      'invalid_request',
      'invalid_request',
    ]);
  });

  test('limits machines of one network, and stores no code and no control characters', async () => {
    const { app, device_code, code } = await waiting(dialect);
    const name = `a\u0007b\u202e${'c'.repeat(300)}`;
    const more = [];
    for (let at = 0; at < 50; at += 1) more.push((await start(app, { device_name: name })).statusCode);
    expect(more.filter((status) => status === 429)).toHaveLength(1);
    const rows = await app.database.query((q) => q.selectFrom('device_sign_ins').selectAll());
    expect(JSON.stringify(rows)).not.toContain(device_code);
    expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''));
    expect(new Set(rows.map(({ device_name }) => device_name))).toEqual(
      new Set(['workstation', `ab${'c'.repeat(98)}`]),
    );
  });
});
