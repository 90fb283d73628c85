import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { createPasskeyDevice } from '../../../../test/harness/passkey-device.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  signInProvider,
} from '../../../../test/harness/sign-in-provider.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { setRule } from '../rules/rules.ts';

const URL_ = '/v0.1/user/passkeys';
const SIGN_IN = '/v0.1/sign_in/passkey';

/** Grace, who has added a passkey in a browser. */
async function withPasskey(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect, allowsLoopback);
  const grace = await app.addUser('grace');
  const browser = openCookieBrowser(app);
  await browser.send('POST', '/v0.1/sessions', { login: 'grace', password });
  const device = createPasskeyDevice();
  const { options } = (await browser.send('POST', `${URL_}/options`, {})).json();
  const added = await browser.send('POST', URL_, { name: ' Phone ', credential: device.create(options) });
  expect([added.statusCode, added.json().name]).toEqual([201, 'Phone']);
  /** Signs in in a new browser. */
  const signIn = async (over: Parameters<typeof device.get>[1] = {}) => {
    const other = openCookieBrowser(app);
    const started = (await other.send('POST', `${SIGN_IN}/options`, {})).json().options;
    const response = await other.send('POST', SIGN_IN, { credential: device.get(started, over) });
    return { other, status: response.statusCode, message: response.json().error?.message };
  };
  return { app, grace, browser, device, options, signIn };
}

eachDatabase('passkeys', (dialect) => {
  test('sign in without a name and a password, and are listed with their last use', async () => {
    const { app, browser, options, signIn } = await withPasskey(dialect);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Mooring' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    const { other, status } = await signIn();
    expect([status, await other.whoAmI()]).toEqual([201, 'grace']);
    const [listed] = (await browser.send('GET', URL_)).json();
    expect(listed).toMatchObject({ name: 'Phone', is_synced: false, last_used_at: '2026-11-01T09:00:00.000Z' });
    expect((await changes(app, 'passkey')).map(([action]) => action)).toEqual(['passkey.create']);
  });

  test.each([
    ['another site', { origin: 'https://evil.example.com' }],
    ['another relying party', { rpId: 'evil.example.com' }],
    ['no check of its owner', { flags: 0x01 }],
    ['no presence of its owner', { flags: 0x04 }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['the response to a registration', { type: 'webauthn.create' }],
    ['another user handle', { userHandle: 'AAAA' }],
    ['no user handle', { userHandle: undefined }],
  ])('refuse a response with %s', async (_, over) => {
    const { signIn } = await withPasskey(dialect);
    const { other, status } = await signIn(over);
    expect([status, await other.whoAmI()]).toEqual([401, undefined]);
  });

  test('are not added by a device that did not check its owner', async () => {
    const { browser } = await withPasskey(dialect);
    const { options } = (await browser.send('POST', `${URL_}/options`, {})).json();
    const credential = createPasskeyDevice().create(options, { flags: 0x41 });
    expect((await browser.send('POST', URL_, { name: 'Key', credential })).statusCode).toBe(400);
    expect((await browser.send('GET', URL_)).json()).toHaveLength(1);
  });

  test('accept each challenge once, for 10 minutes, in the browser that asked for it', async () => {
    const { app, device } = await withPasskey(dialect);
    const browser = openCookieBrowser(app);
    const start = async () => (await browser.send('POST', `${SIGN_IN}/options`, {})).json().options;
    const send = (credential: object, from = browser) => from.send('POST', SIGN_IN, { credential });
    const started = await start();
    const cookie = browser.cookies.get('mooring_passkey') ?? '';
    expect((await send(device.get(started), openCookieBrowser(app))).statusCode).toBe(401);
    expect((await send(device.get(started))).statusCode).toBe(201);
    browser.cookies.set('mooring_passkey', cookie);
    expect((await send(device.get(started))).statusCode).toBe(401);
    const late = await start();
    app.advance(11 * MINUTE);
    expect((await send(device.get(late))).statusCode).toBe(401);
  });

  test('report a counter that did not increase, and still sign in', async () => {
    const { app, signIn } = await withPasskey(dialect);
    expect((await signIn({ count: 7 })).status).toBe(201);
    expect((await signIn({ count: 7 })).status).toBe(201);
    expect(await app.logged()).toContain('counter of a passkey did not increase');
  });

  test('end with a removal, a disabled account, and the lost-factor path, which ends sessions', async () => {
    const { app, grace, browser, device, signIn } = await withPasskey(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const patch = (is_disabled: boolean) =>
      app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body: { is_disabled } });
    await patch(true);
    expect((await signIn()).status).toBe(401);
    await patch(false);
    await browser.send('POST', '/v0.1/sessions', { login: 'grace', password });
    expect((await browser.send('DELETE', `${URL_}/${device.id}`)).statusCode).toBe(204);
    expect((await signIn()).status).toBe(401);
    expect((await browser.send('DELETE', `${URL_}/${device.id}`)).statusCode).toBe(404);
    const again = await withPasskey(dialect);
    const admin = await again.app.userToken(await again.app.addUser('ada', { isAdmin: true }));
    const lost = `/v0.1/admin/users/${again.grace.id}/second_factor`;
    expect((await again.app.call('DELETE', lost, { token: admin })).statusCode).toBe(204);
    expect((await again.signIn()).status).toBe(401);
    expect(await again.browser.whoAmI()).toBeUndefined();
  });

  test('do not replace an identity provider that is required', async () => {
    const { app, signIn } = await withPasskey(dialect);
    await addProvider(app, await signInProvider(app), { allowedDomains: ['example.com'] });
    await setRule(app.as(await app.addUser('ada', { isAdmin: true })), { org: undefined }, 'corp');
    const { status, message } = await signIn();
    expect([status, message]).toEqual([403, expect.stringContaining('requires Corp')]);
  });

  test('are added and removed by their owner in a browser only', async () => {
    const { app, grace, browser, device } = await withPasskey(dialect);
    const token = await app.userToken(grace);
    const credential = device.create({ challenge: 'x', user: { id: 'x' } });
    expect((await app.call('POST', URL_, { token, body: { name: 'x', credential } })).statusCode).toBe(403);
    await app.addUser('mallory');
    const other = openCookieBrowser(app);
    await other.send('POST', '/v0.1/sessions', { login: 'mallory', password });
    expect((await other.send('PATCH', `${URL_}/${device.id}`, { name: 'Stolen' })).statusCode).toBe(404);
    expect((await other.send('DELETE', `${URL_}/${device.id}`)).statusCode).toBe(404);
    expect((await browser.send('PATCH', `${URL_}/${device.id}`, { name: 'Key' })).json().name).toBe('Key');
    // The options of one person are not for another one, and the same passkey is not for two.
    const { options } = (await browser.send('POST', `${URL_}/options`, {})).json();
    other.cookies.set('mooring_passkey', browser.cookies.get('mooring_passkey') ?? '');
    const stolen = createPasskeyDevice().create(options);
    expect((await other.send('POST', URL_, { name: 'x', credential: stolen })).statusCode).toBe(400);
    const fresh = (await other.send('POST', `${URL_}/options`, {})).json().options;
    expect((await other.send('POST', URL_, { name: 'x', credential: device.create(fresh) })).statusCode).toBe(409);
    const odd = (await other.send('POST', `${URL_}/options`, {})).json().options;
    expect(odd.challenge).toBeTruthy();
    for (const body of [{}, { response: 1 }, { id: 'x', response: { clientDataJSON: '!' } }]) {
      expect((await other.send('POST', URL_, { name: 'x', credential: body })).statusCode).toBe(400);
    }
  });
});

eachDatabase('recent confirmations', (dialect) => {
  const createToken = (browser: ReturnType<typeof openCookieBrowser>) => browser.send('POST', '/v0.1/api_tokens', {});

  test('are needed in sessions for sensitive operations, and last 5 minutes', async () => {
    const { app, browser, grace } = await withPasskey(dialect);
    expect((await createToken(browser)).statusCode).toBe(201);
    await app.addOrg(grace, 'lighthouse');
    app.advance(6 * MINUTE);
    const refused = await createToken(browser);
    expect([refused.statusCode, refused.headers['x-confirmation']]).toEqual([403, 'required']);
    const scim = await browser.send('POST', '/v0.1/orgs/lighthouse/provisioning/tokens', {});
    expect([scim.statusCode, scim.headers['x-confirmation']]).toEqual([403, 'required']);
    const confirm = (body: object) => browser.send('POST', '/v0.1/user/confirmation', body);
    expect((await confirm({ password: 'not the password' })).statusCode).toBe(403);
    expect((await confirm({})).statusCode).toBe(400);
    expect((await createToken(browser)).statusCode).toBe(403);
    expect((await confirm({ password })).statusCode).toBe(204);
    expect((await createToken(browser)).statusCode).toBe(201);
    expect((await changes(app, 'session.confirm')).length).toBe(1);
    app.advance(6 * MINUTE);
    expect((await createToken(browser)).statusCode).toBe(403);
  });

  test('work with a passkey, but only of the same person', async () => {
    const { app, browser, device } = await withPasskey(dialect);
    await app.addUser('mallory');
    const other = openCookieBrowser(app);
    await other.send('POST', '/v0.1/sessions', { login: 'mallory', password });
    app.advance(6 * MINUTE);
    const confirm = async (from: typeof browser) => {
      const { options } = (await from.send('POST', `${SIGN_IN}/options`, {})).json();
      return (await from.send('POST', '/v0.1/user/confirmation', { credential: device.get(options) })).statusCode;
    };
    expect([await confirm(other), await confirm(browser)]).toEqual([403, 204]);
    expect([(await createToken(other)).statusCode, (await createToken(browser)).statusCode]).toEqual([403, 201]);
  });

  test('are not needed for tokens and for HTTP Basic', async () => {
    const { app, grace } = await withPasskey(dialect);
    const token = await app.userToken(grace);
    app.advance(6 * MINUTE);
    expect((await app.call('POST', '/v0.1/api_tokens', { token, body: {} })).statusCode).toBe(201);
    const headers = { authorization: `Basic ${btoa(`grace:${password}`)}` };
    expect((await app.call('POST', '/v0.1/api_tokens', { headers, body: {} })).statusCode).toBe(201);
    expect((await app.call('POST', '/v0.1/user/confirmation', { token, body: { password } })).statusCode).toBe(403);
  });
});
