import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { allowsLoopback, openCookieBrowser, signInProvider } from '../../../../test/harness/sign-in-provider.ts';
import { systemCtx } from '../../../context.ts';
import { issuerProblem } from '../../../outbound/issuer-url.ts';
import { readConfig } from '../../../settings.ts';
import { checkConfiguredProvider, findProvider } from './providers.ts';

const LIST = '/v0.1/admin/identity_providers';
const body = { name: 'corp', display_name: ' Corp ', issuer: 'https://login.example.com', client_id: 'mooring' };
const secret = 'the secret of corp';

async function asAdmin(dialect: 'sqlite' | 'postgres', settings = {}) {
  const app = await testApp(dialect, settings);
  const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
  const call = (method: string, url = LIST, sent?: object) =>
    app.call(method, url, { token, ...(sent ? { body: sent } : {}) });
  return { app, token, call };
}

const storedSecret = async (app: TestApp): Promise<string | undefined> =>
  (await findProvider(systemCtx(app.deps), 'corp'))?.clientSecret;

test.each([
  ['https://login.example.com', [], undefined],
  ['https://login.example.com/realms/a', [], undefined],
  ['http://127.0.0.1:9000', ['127.0.0.1'], undefined],
  ['http://[::1]:9000', ['::1'], undefined],
  ['http://127.0.0.1:9000', [], 'must start with https://'],
  ['http://localhost:9000', ['127.0.0.1'], 'must start with https://'],
  ['http://10.0.0.7', ['10.0.0.0/8'], 'must start with https://'],
  ['http://login.example.com', [], 'must start with https://'],
  ['https://10.0.0.7', [], 'is not a public address'],
  ['https://10.0.0.7', ['10.0.0.0/8'], undefined],
  ['https://[::ffff:10.0.0.7]', [], 'is not a public address'],
  ['https://169.254.169.254', [], 'is not a public address'],
  ['https://login.example.com?a=b', [], 'must not contain a query'],
  ['https://login.example.com#a', [], 'must not contain a query'],
  ['https://a:b@login.example.com', [], 'must not contain a query'],
  ['ftp://login.example.com', [], 'must be a URL'],
  ['login.example.com', [], 'must be a URL'],
])('the issuer %s with the allowed networks %j: %s', (issuer, allow, problem) => {
  const found = issuerProblem(issuer, allow);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test('settings must name both the issuer and the client', () => {
  expect(() => readConfig({ MOORING_SSO_ISSUER: 'https://login.example.com' })).toThrow('must be set together');
  expect(() => readConfig({ MOORING_SSO_CLIENT_ID: 'a' })).toThrow('must be set together');
});

test.each([
  ['MOORING_SSO_ISSUER', 'login.example.com'],
  ['MOORING_SSO_ISSUER', 'https://login.example.com?a'],
  ['MOORING_SSO_NAME', 'Corp'],
  ['MOORING_SSO_NAME', 'a/b'],
  ['MOORING_SSO_SCOPES', 'a"b'],
  ['MOORING_SSO_ALLOWED_DOMAINS', '@example.com'],
  ['MOORING_SSO_CREATE_ACCOUNTS', 'yes'],
  ['MOORING_SSO_CLIENT_SECRET_FILE', '/does/not/exist'],
])('the setting %s rejects %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must be`);
});

test('the server does not start with contradictory settings', () => {
  const check = (config: object) => () => checkConfiguredProvider({ config: { ...readConfig({}), ...config } });
  expect(check({ ssoIssuer: 'http://127.0.0.1:9000', ssoClientId: 'a' })).toThrow('MOORING_SSO_ISSUER must start with');
  expect(check({ ssoClientSecret: 'a', ssoClientSecretFile: 'b' })).toThrow('not both');
  expect(check({})).not.toThrow();
});

eachDatabase('identity providers', (dialect) => {
  test('are added, changed and deleted by administrators, and recorded without the secret', async () => {
    const { app, call } = await asAdmin(dialect);
    const made = await call('POST', LIST, { ...body, client_secret: secret, allowed_domains: ['Example.com'] });
    expect([made.statusCode, made.json()]).toEqual([
      201,
      {
        name: 'corp',
        display_name: 'Corp',
        issuer: 'https://login.example.com',
        client_id: 'mooring',
        scopes: ['profile', 'email'],
        allowed_domains: ['example.com'],
        creates_accounts: false,
        trusts_email: false,
        groups_claim: 'groups',
        signs_out: false,
        is_enabled: true,
        has_client_secret: true,
        redirect_uri: 'https://localhost:8443/auth/oidc/corp/callback',
        is_from_settings: false,
        created_at: '2026-11-01T09:00:00.000Z',
      },
    ]);
    expect((await app.call('GET', '/v0.1/sign_in/providers')).json()).toEqual([
      { name: 'corp', display_name: 'Corp', url: '/auth/oidc/corp' },
    ]);
    const changed = await call('PATCH', `${LIST}/corp`, { is_enabled: false, scopes: ['openid', 'groups', 'groups'] });
    expect(changed.json()).toMatchObject({ is_enabled: false, scopes: ['groups'], has_client_secret: true });
    expect((await app.call('GET', '/v0.1/sign_in/providers')).json()).toEqual([]);
    expect((await call('GET')).json()).toHaveLength(1);
    expect((await call('DELETE', `${LIST}/corp`)).statusCode).toBe(204);
    for (const method of ['PATCH', 'DELETE'])
      expect((await call(method, `${LIST}/corp`, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404);
    const log = await changes(app, 'identity_provider');
    expect(log.map(([action, name]) => [action, name])).toEqual([
      ['identity_provider.create', 'corp'],
      ['identity_provider.update', 'corp'],
      ['identity_provider.delete', 'corp'],
    ]);
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  test('store their secret sealed, and keep it if a mask or nothing is sent back', async () => {
    const { app, call } = await asAdmin(dialect);
    await call('POST', LIST, { ...body, client_secret: secret });
    const rows = await app.database.query((q) => q.selectFrom('identity_providers').selectAll());
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const client_secret of [undefined, '********', '••••']) {
      const { body: shown } = await call('PATCH', `${LIST}/corp`, { client_secret, display_name: 'C' });
      expect(shown).not.toContain(secret);
      expect(await storedSecret(app)).toBe(secret);
    }
    await call('PATCH', `${LIST}/corp`, { client_secret: 'another' });
    expect(await storedSecret(app)).toBe('another');
    expect((await call('PATCH', `${LIST}/corp`, { client_secret: '' })).json().has_client_secret).toBe(false);
    expect(await app.logged()).not.toContain(secret);
    expect((await call('POST', LIST, { ...body, name: 'b', client_secret: '***' })).statusCode).toBe(400);
  });

  test('do not send their secret to another issuer, or for another client', async () => {
    const { app, call } = await asAdmin(dialect);
    await call('POST', LIST, { ...body, client_secret: secret });
    for (const change of [{ issuer: 'https://evil.example.com' }, { client_id: 'other' }]) {
      expect((await call('PATCH', `${LIST}/corp`, change)).statusCode).toBe(400);
      expect((await call('PATCH', `${LIST}/corp`, { ...change, client_secret: '********' })).statusCode).toBe(400);
      expect((await call('PATCH', `${LIST}/corp`, { ...change, client_secret: 'new' })).statusCode).toBe(200);
    }
    expect(await storedSecret(app)).toBe('new');
  });

  test('have unique names and issuers', async () => {
    const { call } = await asAdmin(dialect);
    await call('POST', LIST, body);
    expect((await call('POST', LIST, { ...body, issuer: 'https://b.example.com' })).statusCode).toBe(409);
    expect((await call('POST', LIST, { ...body, name: 'other' })).statusCode).toBe(409);
    await call('POST', LIST, { ...body, name: 'other', issuer: 'https://b.example.com' });
    expect((await call('PATCH', `${LIST}/other`, { issuer: body.issuer })).statusCode).toBe(409);
  });

  test.each(['http://login.example.com', 'https://10.0.0.7', 'https://a@b.example.com'])(
    'refuse the issuer %s',
    async (issuer) => {
      const { call } = await asAdmin(dialect);
      expect((await call('POST', LIST, { ...body, issuer })).statusCode).toBe(400);
    },
  );

  test('come from the settings, too, and then cannot be changed', async () => {
    const app = await testApp(dialect, allowsLoopback);
    const provider = await signInProvider(app);
    const folder = mkdtempSync(path.join(tmpdir(), 'mooring-sso-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'secret');
    writeFileSync(file, 'a secret\n');
    const { call, app: configured } = await asAdmin(dialect, {
      ...allowsLoopback,
      ssoIssuer: provider.issuer,
      ssoClientId: 'mooring',
      ssoClientSecretFile: file,
      ssoCreateAccounts: true,
      ssoName: 'corp',
    });
    expect((await call('GET')).json()).toMatchObject([
      { name: 'corp', is_from_settings: true, has_client_secret: true },
    ]);
    expect((await call('PATCH', `${LIST}/corp`, {})).statusCode).toBe(409);
    expect((await call('DELETE', `${LIST}/corp`)).statusCode).toBe(409);
    expect((await call('POST', LIST, body)).statusCode).toBe(409);
    expect((await call('POST', LIST, { ...body, name: 'b', issuer: provider.issuer })).statusCode).toBe(409);
    const browser = openCookieBrowser(configured);
    expect(await browser.signIn(provider)).toBe('/');
    expect(await browser.whoAmI()).toBe('grace');
  });
});
