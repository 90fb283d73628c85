import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../tools/hostile-text.ts';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
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
} from '../../../../test/harness/oauth.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { versionsReader } from '../../../db/versions.ts';
import { DAY, MINUTE } from '../../../kernel/clock.ts';
import { findBearerActor } from '../tokens/access-tokens.ts';
import { sweepCodes } from './token-requests.ts';

const manyFields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&');

eachDatabase('the token endpoint', (dialect) => {
  test('changes a code into a token that acts for the person', async () => {
    const app = await testApp(dialect);
    const { user, browser, client } = await signedIn(app);
    const sent = await browser.ask(client, { ...pkce });
    expect([sent.to, Object.keys(sent.query), sent.fragment]).toEqual([redirectUri, ['code', 'state'], {}]);
    const answer = await exchange(app, await codeFor(browser, client));
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const expected = { token_type: 'Bearer', expires_in: 3600, scope: 'user_impersonation' };
    expect(answer.json()).toEqual({ access_token: expect.any(String), ...expected });
    const { actor } = await findBearerActor(app.deps, answer.json().access_token);
    expect(actor.user).toMatchObject({ id: user.id });
  });

  test('takes JSON as well, and codes from the fragment', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const body = await codeFor(browser, client, { response_mode: 'fragment' });
    expect((await app.call('POST', TOKEN, { body })).statusCode).toBe(200);
  });

  test('takes a code once, also of many at the same time, and records that it came again', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const fields = await codeFor(browser, client);
    const redeem = () => exchange(app, fields);
    const answers = await atOnce(app, [redeem, redeem, redeem], 'oauth_codes');
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
    const refused = answers.find(({ statusCode }) => statusCode === 400);
    expect(refused?.json()).toEqual({ error: 'invalid_grant', error_description: expect.any(String) });
    const events = await app.database.query((q) =>
      q.selectFrom('audit_events').select('id').where('action', '=', 'oauth.reuse_code'),
    );
    expect(events).toHaveLength(2);
  });

  test('ends the token of a code that is sent again, on every process', async () => {
    const app = await testApp(dialect);
    const { user, browser, client } = await signedIn(app);
    const [fields, other] = [await codeFor(browser, client), await codeFor(browser, client)];
    const issue = async (fields: Parameters) => (await exchange(app, fields)).json().access_token as string;
    const [token, kept] = [await issue(fields), await issue(other)];
    const second = await app.another();
    const use = (value: string) =>
      findBearerActor(second.deps, value).then(
        ({ actor }) => actor.user.name,
        (error: Error) => error.message,
      );
    expect([await use(token), await use(kept)]).toEqual([user.name, user.name]);
    const readVersions = versionsReader(app.deps.db);
    const { grants } = await readVersions();
    expect((await exchange(app, fields)).statusCode).toBe(400);
    expect([await use(token), await use(kept)]).toEqual([expect.stringContaining('sent a second time'), user.name]);
    // Every process drops its cached grants.
    expect((await readVersions()).grants).toBeGreaterThan(grants);
  });

  test('refuses whatever does not fit the code', async () => {
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
      const answer = await exchange(app, { ...(await codeFor(browser, client)), ...change });
      const refusal = { error, error_description: expect.any(String) };
      expect([change, answer.statusCode, answer.json()]).toEqual([change, 400, refusal]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('refuses the code of one client from another, also if the person lets both act for them', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    // The same redirect address: nothing but the client tells the two apart.
    const other = await addClient(app, { name: 'Another board' });
    await browser.obtain(other);
    const fields = await codeFor(browser, client);
    const answer = await exchange(app, { ...fields, client_id: other.id });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant']);
    expect((await exchange(app, await codeFor(browser, other))).statusCode).toBe(200);
  });

  test('refuses a code after a minute, after sign-out, and after the person took consent back', async () => {
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

  test('keeps only a hash of a code, and forgets old ones', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const { code = '' } = await codeFor(browser, client);
    const rows = () => app.database.query((q) => q.selectFrom('oauth_codes').selectAll());
    expect(JSON.stringify(await rows()) + (await app.logged())).not.toContain(code);
    app.advance(DAY + 2 * MINUTE);
    await sweepCodes(app.deps);
    expect(await rows()).toEqual([]);
  });

  test('refuses bodies that cannot be read, in the words of OAuth', async () => {
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
      [`code=${'x'.repeat(8192)}`, 'application/x-www-form-urlencoded', 413],
      [JSON.stringify({ code: 'x'.repeat(8192) }), 'application/json', 413],
    ] as const) {
      const answer = await app.call('POST', TOKEN, { body, headers: { 'content-type': type } });
      const expected = { error: 'invalid_request', error_description: expect.any(String) };
      expect([body, answer.statusCode, answer.json()]).toEqual([body, status, expected]);
    }
  });

  test('answers pages of registered clients from the browser, and no others', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const cross = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' });
    const board = 'https://board.example.com';
    const preflight = await app.call('OPTIONS', TOKEN, { headers: cross(board) });
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': board, vary: 'origin' });
    const answer = await exchange(app, await codeFor(browser, client), cross(board));
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, board]);
    for (const origin of ['https://evil.example', 'null']) {
      const stranger = await app.call('OPTIONS', TOKEN, { headers: cross(origin) });
      expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('counts against the rate limit', async () => {
    const app = await testApp(dialect, { rateLimit: 1 });
    await exchange(app, { grant_type: 'x' });
    const answer = await exchange(app, { grant_type: 'x' });
    expect([answer.statusCode, answer.json().error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('whatever is sent to the token endpoint, it is a refusal', async () => {
  const app = await testApp('sqlite');
  const { browser, client } = await signedIn(app);
  const sound = await codeFor(browser, client);
  const value = fc.oneof(fc.string({ unit: anySign }), fc.constantFrom('authorization_code', client.id, redirectUri));
  const fields = fc.dictionary(fc.constantFrom(...Object.keys(sound), '__proto__'), value);
  await fc.assert(
    fc.asyncProperty(fields, async (changed) => {
      const { code: _, ...others } = sound;
      const answer = await exchange(app, { ...others, ...changed });
      expect([400, 411]).toContain(answer.statusCode);
    }),
    { numRuns: 200 },
  );
});
