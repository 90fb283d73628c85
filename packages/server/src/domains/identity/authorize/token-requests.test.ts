import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addClient,
  codeFor,
  exchange,
  type Parameters,
  pkce,
  redirectUri,
  signedIn,
  TOKEN,
  verifier,
} from '../../../../test/harness/services/oauth.ts';
import { versionsReader } from '../../../db/versions.ts';
import { DAY, MINUTE } from '../../../kernel/clock.ts';
import { findBearerActor } from '../tokens/access-tokens.ts';
import { sweepCodes } from './token-requests.ts';

const manyFields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&');

eachDatabase('the token endpoint', (dialect) => {
  test('exchanges a code for a token that acts for the user', async () => {
    const app = await testApp(dialect);
    const { user, browser, client } = await signedIn(app);
    const sent = await browser.ask(client, { ...pkce });
    expect([sent.to, Object.keys(sent.query), sent.fragment]).toEqual([redirectUri, ['code', 'state'], {}]);
    const response = await exchange(app, await codeFor(browser, client));
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    const expected = { token_type: 'Bearer', expires_in: 3600, scope: 'user_impersonation' };
    expect(response.json()).toEqual({ access_token: expect.any(String), ...expected });
    const { actor } = await findBearerActor(app.deps, response.json().access_token);
    expect(actor.user).toMatchObject({ id: user.id });
  });

  test('accepts JSON as well, and codes from the fragment', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const body = await codeFor(browser, client, { response_mode: 'fragment' });
    expect((await app.call('POST', TOKEN, { body })).statusCode).toBe(200);
  });

  test('accepts a code once, also under concurrent use, and records the second use', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const fields = await codeFor(browser, client);
    const redeem = () => exchange(app, fields);
    const responses = await atOnce(app, [redeem, redeem, redeem], 'oauth_codes');
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
    const refused = responses.find(({ statusCode }) => statusCode === 400);
    expect(refused?.json()).toEqual({ error: 'invalid_grant', error_description: expect.any(String) });
    const events = await app.database.query((q) =>
      q.selectFrom('audit_events').select('id').where('action', '=', 'oauth.reuse_code'),
    );
    expect(events).toHaveLength(2);
  });

  test('invalidates the token of a code that is sent again, on every process', async () => {
    const app = await testApp(dialect);
    const { user, browser, client } = await signedIn(app);
    const [fields, other] = [await codeFor(browser, client), await codeFor(browser, client)];
    const issue = async (fields: Parameters) => (await exchange(app, fields)).json().access_token as string;
    const [token, otherToken] = [await issue(fields), await issue(other)];
    const second = await app.another();
    const use = (value: string) =>
      findBearerActor(second.deps, value).then(
        ({ actor }) => actor.user.name,
        (error: Error) => error.message,
      );
    expect([await use(token), await use(otherToken)]).toEqual([user.name, user.name]);
    const readVersions = versionsReader(app.deps.db);
    const { grants } = await readVersions();
    expect((await exchange(app, fields)).statusCode).toBe(400);
    expect([await use(token), await use(otherToken)]).toEqual([
      expect.stringContaining('sent a second time'),
      user.name,
    ]);
    // All processes drop their cached grants.
    expect((await readVersions()).grants).toBeGreaterThan(grants);
  });

  test('rejects requests that do not match the code', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const cases: [Parameters, string][] = [
      [{ grant_type: 'refresh_token' }, 'unsupported_grant_type'],
      [{ grant_type: undefined }, 'invalid_request'],
      [{ code: undefined }, 'invalid_request'],
      [{ code: 'x' }, 'invalid_grant'],
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_grant'],
      [{ code_verifier: undefined }, 'invalid_request'],
      [{ code_verifier: `${verifier}x` }, 'invalid_grant'],
      [{ code_verifier: 'short' }, 'invalid_grant'],
      [{ client_id: '0198c7b0-0000-7c1e-9a53-2f4be3a0b2d7' }, 'invalid_client'],
      [{ client_id: '8b1f4b36-2f0d-4a0c-8d6e-6c5b9a7e3d41' }, 'invalid_grant'],
      [{ code: 'x'.repeat(2001) }, 'invalid_request'],
    ];
    for (const [change, error] of cases) {
      const response = await exchange(app, { ...(await codeFor(browser, client)), ...change });
      const refusal = { error, error_description: expect.any(String) };
      expect([change, response.statusCode, response.json()]).toEqual([change, 400, refusal]);
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  test('refuses a code of another client, even if the user consented to both', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    // Both clients share a redirect URL, so only the client ID differs.
    const other = await addClient(app, { name: 'Another board' });
    await browser.obtain(other);
    const fields = await codeFor(browser, client);
    const response = await exchange(app, { ...fields, client_id: other.id });
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_grant']);
    expect((await exchange(app, await codeFor(browser, other))).statusCode).toBe(200);
  });

  test('refuses a code after a minute, after sign-out, and after the consent was revoked', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const late = await codeFor(browser, client);
    app.advance(MINUTE);
    expect((await exchange(app, late)).json().error).toBe('invalid_grant');
    const revoked = await codeFor(browser, client);
    await app.call('DELETE', `/v0.1/oauth/consents/${client.id}`, { headers: browser.headers });
    expect((await exchange(app, revoked)).json().error).toBe('invalid_grant');
    const signedOut = await codeFor(browser, client);
    await browser.signOut();
    expect((await exchange(app, signedOut)).json().error).toBe('invalid_grant');
  });

  test('stores only a hash of a code and deletes old ones', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const { code = '' } = await codeFor(browser, client);
    const rows = () => app.database.query((q) => q.selectFrom('oauth_codes').selectAll());
    expect(JSON.stringify(await rows()) + (await app.logged())).not.toContain(code);
    app.advance(DAY + 2 * MINUTE);
    await sweepCodes(app.deps);
    expect(await rows()).toEqual([]);
  });

  test('refuses unreadable bodies with OAuth errors', async () => {
    const app = await testApp(dialect);
    for (const [body, type, status] of [
      ['code=1&code=2', 'application/x-www-form-urlencoded', 400],
      ['code=%00', 'application/x-www-form-urlencoded', 400],
      ['{', 'application/json', 400],
      ['{"code":"\\u0000"}', 'application/json', 400],
      ['[]', 'application/json', 400],
      ['<a/>', 'text/xml', 415],
      ['', 'application/x-www-form-urlencoded', 411],
      [manyFields(21), 'application/x-www-form-urlencoded', 400],
      [manyFields(60_000), 'application/x-www-form-urlencoded', 413],
      [`code=${'x'.repeat(32_768)}`, 'application/x-www-form-urlencoded', 413],
      [JSON.stringify({ code: 'x'.repeat(32_768) }), 'application/json', 413],
    ] as const) {
      const response = await app.call('POST', TOKEN, { body, headers: { 'content-type': type } });
      const expected = { error: 'invalid_request', error_description: expect.any(String) };
      expect([body, response.statusCode, response.json()]).toEqual([body, status, expected]);
    }
  });

  test('responds to pages of registered clients in the browser, and no others', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const cross = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' });
    const board = 'https://board.example.com';
    const preflight = await app.call('OPTIONS', TOKEN, { headers: cross(board) });
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': board, vary: 'origin' });
    const response = await exchange(app, await codeFor(browser, client), cross(board));
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([200, board]);
    for (const origin of ['https://evil.example', 'null']) {
      const stranger = await app.call('OPTIONS', TOKEN, { headers: cross(origin) });
      expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('counts against the rate limit', async () => {
    const app = await testApp(dialect, { rateLimit: 1 });
    await exchange(app, { grant_type: 'x' });
    const response = await exchange(app, { grant_type: 'x' });
    expect([response.statusCode, response.json().error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('rejects any random request to the token endpoint', async () => {
  const app = await testApp('sqlite');
  const { browser, client } = await signedIn(app);
  const sound = await codeFor(browser, client);
  const value = fc.oneof(fc.string({ unit: anySign }), fc.constantFrom('authorization_code', client.id, redirectUri));
  const fields = fc.dictionary(fc.constantFrom(...Object.keys(sound), '__proto__'), value);
  await fc.assert(
    fc.asyncProperty(fields, async (changed) => {
      const { code: _, ...others } = sound;
      const response = await exchange(app, { ...others, ...changed });
      expect([400, 411]).toContain(response.statusCode);
    }),
    { numRuns: 200 },
  );
});
