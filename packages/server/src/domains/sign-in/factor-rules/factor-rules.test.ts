import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  signInProvider,
} from '../../../../test/harness/sign-in-provider.ts';
import { DAY, SECOND } from '../../../kernel/clock.ts';
import { setRule } from '../rules/rules.ts';
import { codeAt, stepAt } from '../second-factor/totp.ts';

const RULE = '/v0.1/admin/second_factor_rule';
const SET_UP = '/v0.1/sign_in/second_factor';

async function setUp(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect, allowsLoopback);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: object, as = token) =>
    app.call(method, url, { token: as, ...(body ? { body } : {}) });
  const login = { login: 'grace', password };
  const browser = openCookieBrowser(app);
  const signIn = async (more: object = {}) => {
    const response = await browser.send('POST', '/v0.1/sessions', { ...login, ...more });
    return [response.statusCode, response.headers['x-second-factor']];
  };
  return { app, ada, grace, token, call, login, browser, signIn };
}

eachDatabase('rules that require a second factor', (dialect) => {
  test('leave days of grace, then let people set one up at their next sign-in', async () => {
    const { app, call, login, browser, signIn } = await setUp(dialect);
    expect((await call('PUT', RULE, { grace_days: 7 })).json()).toEqual({ required_from: '2026-11-08T09:00:00.000Z' });
    expect(await signIn()).toEqual([201, undefined]);
    const factor = (await browser.send('GET', '/v0.1/user/second_factor')).json();
    expect(factor.required_from).toBe('2026-11-08T09:00:00.000Z');
    expect((await browser.send('POST', SET_UP, login)).statusCode).toBe(409);
    app.advance(7 * DAY);
    expect(await signIn()).toEqual([401, 'setup']);
    const wrong = await browser.send('POST', SET_UP, { ...login, password: 'not the password' });
    expect([wrong.statusCode, wrong.headers['x-second-factor']]).toEqual([401, undefined]);
    const { secret } = (await browser.send('POST', SET_UP, login)).json();
    const code = () => codeAt(secret, stepAt(app.deps.clock.now()));
    const other = openCookieBrowser(app);
    expect((await other.send('POST', `${SET_UP}/confirm`, { ...login, code: '000000' })).statusCode).toBe(400);
    const done = await other.send('POST', `${SET_UP}/confirm`, { ...login, code: code() });
    expect([done.statusCode, done.json().recovery_codes.length]).toEqual([201, 10]);
    expect(await other.whoAmI()).toBe('grace');
    app.advance(30 * SECOND);
    expect(await signIn()).toEqual([401, 'required']);
    expect(await signIn({ code: code() })).toEqual([201, undefined]);
    // Another setup can't replace it.
    expect((await browser.send('POST', SET_UP, login)).statusCode).toBe(409);
    app.advance(30 * SECOND);
    const off = await browser.send('POST', '/v0.1/user/second_factor/disable', { password, code: code() });
    expect(off.statusCode).toBe(409);
  });

  test('keep API tokens, and refuse HTTP Basic without a second factor', async () => {
    const { app, grace, call } = await setUp(dialect);
    const own = await app.userToken(grace);
    await call('PUT', RULE, { grace_days: 0 });
    expect((await call('GET', '/v0.1/user', undefined, own)).statusCode).toBe(200);
    const headers = { authorization: `Basic ${btoa(`grace:${password}`)}` };
    const refused = await app.call('POST', '/v0.1/api_tokens', { headers, body: {} });
    expect([refused.statusCode, refused.headers['x-second-factor']]).toEqual([401, 'setup']);
  });

  test('of an organization are for its members, and set by its admins only', async () => {
    const { app, ada, grace, call, signIn } = await setUp(dialect);
    await call('POST', '/v0.1/orgs', { name: 'lighthouse', display_name: 'Lighthouse' });
    const url = '/v0.1/orgs/lighthouse/second_factor_rule';
    expect((await call('PUT', url, { grace_days: 0 })).statusCode).toBe(200);
    expect(await signIn()).toEqual([201, undefined]);
    const { addMember } = await import('../../accounts/index.ts');
    const org = (await call('GET', '/v0.1/orgs/lighthouse')).json();
    await addMember(app.as(ada), { id: org.id }, grace, 'member');
    expect(await signIn()).toEqual([401, 'setup']);
    const own = await app.userToken(grace);
    expect((await call('DELETE', url, undefined, own)).statusCode).toBe(403);
    expect((await call('PUT', RULE, { grace_days: 0 }, own)).statusCode).toBe(403);
    expect((await call('DELETE', url)).statusCode).toBe(204);
    expect((await call('DELETE', url)).statusCode).toBe(404);
    expect(await signIn()).toEqual([201, undefined]);
    expect((await changes(app, 'factor_rule')).map(([action]) => action)).toEqual([
      'factor_rule.set',
      'factor_rule.delete',
    ]);
  });

  test('show before what they do to each person', async () => {
    const { app, call } = await setUp(dialect);
    await addProvider(app, await signInProvider(app), { allowedDomains: ['corp.example.com'] });
    await app.addUser('linus', { email: 'linus@corp.example.com' });
    await setRule(app.as(await app.addUser('root', { isAdmin: true })), { org: undefined }, 'corp');
    const { values } = (await call('GET', `${RULE}/preview`)).json();
    const effects = Object.fromEntries(
      values.map(({ name, effect }: { name: string; effect: string }) => [name, effect]),
    );
    expect(effects).toEqual({ ada: 'set_up', grace: 'set_up', linus: 'provider', root: 'set_up' });
  });

  test('force one on the password that an administrator keeps beside a required provider', async () => {
    const { app, ada } = await setUp(dialect);
    await addProvider(app, await signInProvider(app), { allowedDomains: ['example.com'] });
    const signIn = async () => {
      const response = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
      return [response.statusCode, response.headers['x-second-factor']];
    };
    expect(await signIn()).toEqual([201, undefined]);
    await setRule(app.as(ada), { org: undefined }, 'corp');
    expect(await signIn()).toEqual([401, 'setup']);
    const started = await app.call('POST', SET_UP, { body: { login: 'ada', password } });
    expect(started.statusCode).toBe(201);
    expect((await app.call('POST', SET_UP, { body: { login: 'grace', password } })).statusCode).toBe(403);
  });
});
