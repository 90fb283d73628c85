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
import { systemCtx } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { deleteProvider, updateProvider } from '../providers/providers.ts';
import { codeAt, stepAt } from '../second-factor/totp.ts';
import { deleteRule, setRule } from './rules.ts';

const server = { org: undefined };
const RULE = '/v0.1/admin/sign_in_rule';

/** A server whose provider has the domain of everyone's address. */
async function setUp(dialect: 'sqlite' | 'postgres', allowedDomains = ['example.com']) {
  const app = await testApp(dialect, allowsLoopback);
  const provider = await signInProvider(app);
  await addProvider(app, provider, { allowedDomains });
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  return { app, provider, ada, grace, token: await app.userToken(ada), ctx: systemCtx(app.deps) };
}

const byPassword = (app: TestApp, login: string, secret = password) =>
  app.call('POST', '/v0.1/sessions', { body: { login, password: secret } });
const basic = (login: string) => ({ authorization: `Basic ${btoa(`${login}:${password}`)}` });
const byBasic = (app: TestApp, login: string) =>
  app.call('POST', '/v0.1/api_tokens', { body: {}, headers: basic(login) });

eachDatabase('sign-in rules', (dialect) => {
  test('replace passwords, also with HTTP Basic on every operation that takes it', async () => {
    const { app, ctx } = await setUp(dialect);
    expect((await byPassword(app, 'grace')).statusCode).toBe(201);
    await setRule(ctx, server, 'corp');
    const refused = await byPassword(app, 'grace');
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      403,
      expect.stringContaining('Sign in with Corp'),
    ]);
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect((await byPassword(app, 'grace@example.com')).statusCode).toBe(403);
    for (const [method, url] of [
      ['POST', '/v0.1/api_tokens'],
      ['GET', '/v0.1/api_tokens'],
      ['DELETE', '/v0.1/api_tokens/x'],
    ] as const) {
      const body = method === 'POST' ? { body: {} } : {};
      expect((await app.call(method, url, { ...body, headers: basic('grace') })).statusCode).toBe(403);
    }
    await deleteRule(ctx, server);
    expect((await byBasic(app, 'grace')).statusCode).toBe(201);
  });

  test('do not reveal whether a rule applies without the password', async () => {
    const { app, ctx } = await setUp(dialect);
    await setRule(ctx, server, 'corp');
    const [wrong, unknown] = [await byPassword(app, 'grace', 'not the password'), await byPassword(app, 'nobody')];
    expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body]);
  });

  test('leave administrators their password, with a second factor', async () => {
    const { app, ctx, token } = await setUp(dialect);
    await setRule(ctx, server, 'corp');
    const { headers, statusCode } = await byPassword(app, 'ada');
    expect([statusCode, headers['x-second-factor']]).toEqual([401, 'setup']);
    const url = '/v0.1/user/second_factor';
    const { secret } = (await app.call('POST', url, { token, body: { password } })).json();
    const code = () => codeAt(secret, stepAt(app.deps.clock.now()));
    await app.call('POST', `${url}/confirm`, { token, body: { code: code() } });
    app.advance(30 * SECOND);
    const body = { login: 'ada', password, code: code() };
    expect((await app.call('POST', '/v0.1/sessions', { body })).statusCode).toBe(201);
  });

  test('leave people outside of the domains of the provider their password', async () => {
    const { app, ctx } = await setUp(dialect, ['corp.example.com']);
    await setRule(ctx, server, 'corp');
    expect((await byPassword(app, 'grace')).statusCode).toBe(201);
  });

  test('of an organization apply to its members only, immediately and on every process', async () => {
    const { app, ada, grace, ctx } = await setUp(dialect);
    const linus = await app.addUser('linus');
    const org = await app.addOrg(ada, 'harbour');
    await app.addToOrg(org, grace, 'member');
    const other = await app.another();
    const signIn = (login: string) =>
      other.http.inject({ method: 'POST', url: '/v0.1/sessions', payload: { login, password } });
    expect((await signIn('grace')).statusCode).toBe(201);
    await setRule(ctx, { org }, 'corp');
    expect((await signIn('grace')).statusCode).toBe(403);
    expect((await signIn('linus')).statusCode).toBe(201);
    await app.addToOrg(org, linus, 'admin');
    expect((await signIn('linus')).statusCode).toBe(403);
  });

  test('let people sign in with the provider, which links their account without its password', async () => {
    const { app, provider, ctx, grace } = await setUp(dialect);
    const before = openCookieBrowser(app);
    expect(await before.signIn(provider)).toBe('/link-account');
    await setRule(ctx, server, 'corp');
    const browser = openCookieBrowser(app);
    expect(await browser.signIn(provider)).toBe('/');
    expect(await browser.whoAmI()).toBe('grace');
    expect(await changes(app, 'sign_in_link')).toEqual([
      ['sign_in_link.create', 'grace', undefined, { issuer: provider.issuer, subject: 's-1' }],
    ]);
    // Another person who gets the address later is not signed in to the account.
    provider.person = { ...provider.person, sub: 's-2' };
    expect(await openCookieBrowser(app).signIn(provider)).toBe('/sign-in?problem=taken');
    expect(grace.email).toBe('grace@example.com');
  });

  test('do not let a provider take over an administrator, or an account whose address is not verified', async () => {
    const { app, provider, ctx } = await setUp(dialect);
    await app.addUser('mary', { isEmailVerified: false });
    await setRule(ctx, server, 'corp');
    for (const [name, email_verified] of [
      ['ada', true],
      ['mary', true],
    ] as const) {
      provider.person = { sub: `s-${name}`, email: `${name}@example.com`, email_verified };
      const browser = openCookieBrowser(app);
      expect([name, await browser.signIn(provider)]).toEqual([name, '/link-account']);
      expect(browser.cookies.has('mooring_session')).toBe(false);
    }
  });

  test('of one provider do not let another one link accounts', async () => {
    const { app, provider, ctx } = await setUp(dialect);
    const evil = await signInProvider(app);
    await addProvider(app, evil, { name: 'evil', allowedDomains: ['example.com'] });
    await setRule(ctx, server, 'corp');
    const browser = openCookieBrowser(app);
    expect(await browser.signIn(evil, { name: 'evil' })).toBe('/link-account');
    // The password of the account proves nothing any longer.
    const link = await browser.send('POST', '/v0.1/sign_in/link', { login: 'grace', password });
    expect([link.statusCode, browser.cookies.has('mooring_session')]).toEqual([403, false]);
    expect(await openCookieBrowser(app).signIn(provider)).toBe('/');
  });

  test('show before what they do to each person', async () => {
    const { app, provider, ada, grace, token } = await setUp(dialect);
    await app.addUser('mary', { isEmailVerified: false });
    await app.addUser('linus');
    const link = { provider: 'corp', subject: 's-1' };
    await app.call('POST', `/v0.1/admin/users/${grace.id}/sign_in_links`, { token, body: link });
    const outside = await app.addUser('outside');
    await app.call('PATCH', `/v0.1/admin/users/${outside.id}`, { token, body: { email: 'out@elsewhere.org' } });
    const org = await app.addOrg(ada, 'harbour');
    await app.addToOrg(org, grace, 'member');
    const preview = async (url: string) =>
      (await app.call('GET', `${url}/preview`, { token, query: { provider: 'corp' } }))
        .json()
        .values.map(({ name, effect }: { name: string; effect: string }) => [name, effect]);
    const shown = await preview(RULE);
    expect(shown).toEqual([
      ['ada', 'administrator'],
      ['grace', 'provider'],
      ['linus', 'first_sign_in'],
      ['mary', 'locked_out'],
      ['outside', 'unaffected'],
    ]);
    expect(await preview('/v0.1/orgs/harbour/sign_in_rule')).toEqual([
      ['ada', 'administrator'],
      ['grace', 'provider'],
    ]);
    // The rule does as it was shown.
    expect((await app.call('PUT', RULE, { token, body: { provider: 'corp' } })).statusCode).toBe(200);
    // The password of an administrator needs a second factor from now on.
    const statuses: Record<string, number> = { administrator: 401, unaffected: 201 };
    for (const [name, effect] of shown) {
      expect([name, (await byPassword(app, name)).statusCode]).toEqual([name, statuses[effect] ?? 403]);
    }
    provider.person = { sub: 's-linus', email: 'linus@example.com', email_verified: true };
    expect(await openCookieBrowser(app).signIn(provider)).toBe('/');
  });

  test('need an enabled provider with domains, which then stays so', async () => {
    const { app, token, ctx } = await setUp(dialect, []);
    const set = (provider: string) => app.call('PUT', RULE, { token, body: { provider } });
    expect([(await set('corp')).statusCode, (await set('other')).statusCode]).toEqual([409, 409]);
    await updateProvider(ctx, 'corp', { allowedDomains: ['example.com'] });
    expect((await set('corp')).statusCode).toBe(200);
    expect((await app.call('GET', RULE, { token })).json()).toEqual({ provider: 'corp' });
    await expect(updateProvider(ctx, 'corp', { isEnabled: false })).rejects.toThrow('Remove the rule first');
    await expect(updateProvider(ctx, 'corp', { allowedDomains: [] })).rejects.toThrow('Remove the rule first');
    await expect(deleteProvider(ctx, 'corp')).rejects.toThrow('Remove the rule first');
    expect((await app.call('DELETE', RULE, { token })).statusCode).toBe(204);
    expect((await app.call('DELETE', RULE, { token })).statusCode).toBe(404);
    await deleteProvider(ctx, 'corp');
  });

  test('are recorded, those of an organization in its audit log', async () => {
    const { app, ada, token } = await setUp(dialect);
    const org = await app.addOrg(ada, 'harbour');
    const url = `/v0.1/orgs/${org.name}/sign_in_rule`;
    await app.call('PUT', url, { token, body: { provider: 'corp' } });
    await app.call('DELETE', url, { token });
    expect(await changes(app, 'sign_in_rule')).toEqual([
      ['sign_in_rule.set', 'harbour', undefined, { provider: 'corp' }],
      ['sign_in_rule.delete', 'harbour', { provider: 'corp' }, undefined],
    ]);
    const log = (await app.call('GET', `/v0.1/orgs/${org.name}/audit`, { token })).json();
    expect(JSON.stringify(log)).toContain('sign_in_rule.set');
  });

  test('cannot be set by other members of an organization', async () => {
    const { app, ada, grace } = await setUp(dialect);
    const org = await app.addOrg(ada, 'harbour');
    await app.addToOrg(org, grace, 'collaborator');
    const token = await app.userToken(grace);
    const url = `/v0.1/orgs/${org.name}/sign_in_rule`;
    expect((await app.call('PUT', url, { token, body: { provider: 'corp' } })).statusCode).toBe(403);
    expect((await app.call('GET', `${url}/preview`, { token, query: { provider: 'corp' } })).statusCode).toBe(403);
  });

  test('keep sessions and API tokens that exist', async () => {
    const { app, ctx, grace } = await setUp(dialect);
    const token = await app.userToken(grace);
    await setRule(ctx, server, 'corp');
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(200);
  });

  test('end with their organization', async () => {
    const { app, ctx, grace } = await setUp(dialect);
    const org = await app.addOrg(grace, 'harbour');
    await setRule(ctx, { org }, 'corp');
    const token = await app.userToken(grace);
    expect((await app.call('DELETE', '/v0.1/orgs/harbour', { token })).statusCode).toBe(204);
    expect((await byPassword(app, 'grace')).statusCode).toBe(201);
  });
});
