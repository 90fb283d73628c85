import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  signInProvider,
} from '../../../../test/harness/sign-in-provider.ts';
import { HOUR, SECOND } from '../../../kernel/clock.ts';
import { codeAt, findStep, fromBase32, stepAt, toBase32, toOtpauthUrl } from './totp.ts';

const URL_ = '/v0.1/user/second_factor';
const STEP = 30 * SECOND;

/** The secret of the test values in RFC 6238. */
const rfcSecret = toBase32(Buffer.from('12345678901234567890'));

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('computes the code of RFC 6238 at %s seconds', (seconds, code) => {
  expect(codeAt(rfcSecret, stepAt(seconds * SECOND))).toBe(code);
});

test('accepts the code of one step before and after, and nothing else', () => {
  const now = 1_111_111_111 * SECOND;
  const at = (offset: number) => findStep(rfcSecret, codeAt(rfcSecret, stepAt(now) + offset), now);
  expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([
    undefined,
    stepAt(now) - 1,
    stepAt(now),
    stepAt(now) + 1,
    undefined,
  ]);
  for (const text of ['', '05047', '0504711', 'abcdef', '05047١'])
    expect(findStep(rfcSecret, text, now)).toBeUndefined();
});

test('encodes secrets as authenticator apps read them', () => {
  expect(rfcSecret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(fromBase32(rfcSecret).toString()).toBe('12345678901234567890');
  expect(toOtpauthUrl('Mooring a.example.com', 'ada@example.com', 'ABC')).toBe(
    'otpauth://totp/Mooring%20a.example.com:ada%40example.com?secret=ABC&issuer=Mooring%20a.example.com',
  );
});

/** Grace with a second factor. Setting it up uses one code, so the clock advances afterwards. */
async function withFactor(dialect: 'sqlite' | 'postgres', settings = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const token = await app.userToken(grace);
  const post = (path: string, body: object) => app.call('POST', `${URL_}${path}`, { token, body });
  const started = await post('', { password });
  const { secret } = started.json();
  const code = (offset = 0) => codeAt(secret, stepAt(app.deps.clock.now()) + offset);
  const confirmed = await post('/confirm', { code: code() });
  app.advance(STEP);
  const recoveryCodes: string[] = confirmed.json().recovery_codes;
  return { app, ada, grace, token, post, started, secret, code, confirmed, recoveryCodes };
}

const signIn = (app: TestApp, code?: string, secret = password) =>
  app.call('POST', '/v0.1/sessions', {
    body: { login: 'grace', password: secret, ...(code === undefined ? {} : { code }) },
  });

eachDatabase('second factors', (dialect) => {
  test('are set up with an app, and then needed to sign in', async () => {
    const { app, token, started, secret, code, confirmed, recoveryCodes } = await withFactor(dialect);
    expect([started.statusCode, confirmed.statusCode]).toEqual([201, 200]);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(started.json().url).toContain(`secret=${secret}&issuer=Mooring%20localhost%3A8443`);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await app.call('GET', URL_, { token })).json()).toMatchObject({
      is_enabled: true,
      recovery_codes_left: 10,
    });
    const without = await signIn(app);
    expect([without.statusCode, without.headers['x-second-factor']]).toEqual([401, 'required']);
    expect(without.headers['set-cookie']).toBeUndefined();
    expect((await signIn(app, code())).statusCode).toBe(201);
    const rows = await app.database.query((q) => q.selectFrom('second_factors').selectAll());
    const codes = await app.database.query((q) => q.selectFrom('recovery_codes').selectAll());
    const stored = JSON.stringify([rows, codes]) + (await app.logged());
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);
  });

  test('are not needed until a code was confirmed', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('grace'));
    await app.call('POST', URL_, { token, body: { password } });
    expect((await signIn(app)).statusCode).toBe(201);
    const wrong = await app.call('POST', `${URL_}/confirm`, { token, body: { code: '000000' } });
    expect(wrong.statusCode).toBe(400);
    expect((await signIn(app)).statusCode).toBe(201);
  });

  test('do not reveal themselves without the password', async () => {
    const { app, code } = await withFactor(dialect);
    const wrong = await signIn(app, code(), 'not the password');
    expect([wrong.statusCode, wrong.headers['x-second-factor']]).toEqual([401, undefined]);
  });

  test('accept each code once, also in parallel, and none before the last one', async () => {
    const { app, code } = await withFactor(dialect);
    const now = code();
    const parallel = await Promise.all([1, 2, 3, 4].map(() => signIn(app, now)));
    expect(parallel.map(({ statusCode }) => statusCode).sort()).toEqual([201, 401, 401, 401]);
    expect((await signIn(app, code(-1))).statusCode).toBe(401);
    expect((await signIn(app, code(1))).statusCode).toBe(201);
    expect((await signIn(app, now)).statusCode).toBe(401);
  });

  test('limit guesses, even with the right code, for a limited time', async () => {
    const { app, code } = await withFactor(dialect);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn(app, '000000')));
    expect(guesses.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(5);
    expect((await signIn(app, code())).statusCode).toBe(429);
    app.advance(HOUR);
    expect((await signIn(app, code())).statusCode).toBe(201);
  });

  test('accept each recovery code once, in any spelling, and record its use', async () => {
    const { app, token, recoveryCodes } = await withFactor(dialect);
    const [first = '', second = ''] = recoveryCodes;
    expect((await signIn(app, first)).statusCode).toBe(201);
    expect((await signIn(app, first)).statusCode).toBe(401);
    expect((await signIn(app, second.toLowerCase().replaceAll('-', ' '))).statusCode).toBe(201);
    expect((await app.call('GET', URL_, { token })).json().recovery_codes_left).toBe(8);
    const used = await changes(app, 'second_factor.use_recovery_code');
    expect(used).toHaveLength(2);
    expect(JSON.stringify(used)).not.toContain(first);
  });

  test('protect HTTP Basic, which takes the code in a header', async () => {
    const { app, code } = await withFactor(dialect);
    const authorization = `Basic ${btoa(`grace:${password}`)}`;
    const call = (headers: Record<string, string>) =>
      app.call('POST', '/v0.1/api_tokens', { body: {}, headers: { authorization, ...headers } });
    const refused = await call({});
    expect([refused.statusCode, refused.headers['x-second-factor']]).toEqual([401, 'required']);
    expect(refused.json().error.message).toContain('X-Second-Factor');
    expect((await call({ 'x-second-factor': '000000' })).statusCode).toBe(401);
    expect((await call({ 'x-second-factor': code() })).statusCode).toBe(201);
    expect((await call({ 'x-second-factor': code() })).statusCode).toBe(401);
  });

  test('protect linking an account to an identity provider', async () => {
    const { app, code } = await withFactor(dialect, allowsLoopback);
    const provider = await signInProvider(app);
    await addProvider(app, provider);
    const browser = openCookieBrowser(app);
    expect(await browser.signIn(provider)).toBe('/link-account');
    const link = (more: object) => browser.send('POST', '/v0.1/sign_in/link', { login: 'grace', password, ...more });
    const without = await link({});
    expect([without.statusCode, without.headers['x-second-factor']]).toEqual([401, 'required']);
    expect((await link({ code: code() })).statusCode).toBe(201);
  });

  test('end other sessions when they are turned on', async () => {
    const app = await testApp(dialect);
    await app.addUser('grace');
    const [own, other] = [openCookieBrowser(app), openCookieBrowser(app)];
    for (const each of [own, other]) await each.send('POST', '/v0.1/sessions', { login: 'grace', password });
    const { secret } = (await own.send('POST', URL_, { password })).json();
    const code = codeAt(secret, stepAt(app.deps.clock.now()));
    expect((await own.send('POST', `${URL_}/confirm`, { code })).statusCode).toBe(200);
    expect([await own.whoAmI(), await other.whoAmI()]).toEqual(['grace', undefined]);
  });

  test('are changed only with the password, and then with a code', async () => {
    const { app, post, code, recoveryCodes } = await withFactor(dialect);
    expect((await post('', { password })).statusCode).toBe(409);
    for (const path of ['/disable', '/recovery_codes']) {
      expect((await post(path, { password: 'not the password', code: code() })).statusCode).toBe(403);
      expect((await post(path, { password, code: '000000' })).statusCode).toBe(400);
    }
    const renewed = await post('/recovery_codes', { password, code: code() });
    expect(renewed.json().recovery_codes).toHaveLength(10);
    expect((await signIn(app, recoveryCodes[0])).statusCode).toBe(401);
    expect((await post('/disable', { password, code: renewed.json().recovery_codes[0] })).statusCode).toBe(204);
    expect((await signIn(app)).statusCode).toBe(201);
    expect((await post('/disable', { password, code: code() })).statusCode).toBe(409);
    expect((await changes(app, 'second_factor')).map(([action]) => action)).toEqual([
      'second_factor.start',
      'second_factor.enable',
      'second_factor.renew_codes',
      'second_factor.use_recovery_code',
      'second_factor.disable',
    ]);
  });

  test('that are lost are removed by an administrator, which is recorded and ends sessions', async () => {
    const { app, ada, grace, code } = await withFactor(dialect);
    const browser = openCookieBrowser(app);
    await browser.send('POST', '/v0.1/sessions', { login: 'grace', password, code: code() });
    const url = `/v0.1/admin/users/${grace.id}/second_factor`;
    expect((await app.call('DELETE', url, { token: await app.userToken(grace) })).statusCode).toBe(403);
    const token = await app.userToken(ada);
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
    expect(await browser.whoAmI()).toBeUndefined();
    expect((await signIn(app)).statusCode).toBe(201);
    expect((await changes(app, 'second_factor.disable')).map(([, name]) => name)).toEqual(['grace']);
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(404);
  });
});
