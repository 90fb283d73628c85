import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createToken, send } from '../../harness/http.ts';
import { admin, type RunningServer, startServer } from '../../harness/server.ts';
import { client, type IdentityProvider, startProvider } from './provider.ts';

let server: RunningServer;
let provider: IdentityProvider;
let token: string;

beforeAll(async () => {
  provider = await startProvider();
  server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.1', MOORING_RATE_LIMIT: '0' } });
  token = (await createToken(server)).api_token;
  const added = await send('POST', `${server.httpUrl}/v0.1/admin/identity_providers`, {
    token,
    body: { name: 'corp', display_name: 'Corp', issuer: provider.issuer, ...client, creates_accounts: true },
  });
  expect(added.status, added.text).toBe(201);
  await provider.register(added.json<{ redirect_uri: string }>().redirect_uri);
  return async () => {
    await server.stop();
    await provider.stop();
  };
});

/** Follows redirects and fills in the forms of the provider, as a person would. */
function openBrowser() {
  const jars = new Map<string, Map<string, string>>();
  async function visit(url: URL, form?: Record<string, string>): Promise<{ to: URL | undefined; text: string }> {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    const location = response.headers.get('location');
    return { to: location ? new URL(location, url) : undefined, text: await response.text() };
  }
  return {
    jars,
    /** Signs in as a person of the provider, and returns the page that the server opens. */
    async signIn(person: string): Promise<string> {
      let next = (await visit(new URL('/auth/oidc/corp?next=/orgs', server.httpUrl))).to;
      for (let step = 0; next && step < 20; step++) {
        if (next.pathname === '/auth/oidc/corp/callback') {
          const { to } = await visit(new URL(next.pathname + next.search, server.httpUrl));
          return `${to?.pathname}${to?.search}`;
        }
        if (next.origin !== provider.issuer) return `${next.pathname}${next.search}`;
        const shown = await visit(next);
        if (shown.to) next = shown.to;
        else {
          const prompt = shown.text.includes('name="login"') ? 'login' : 'consent';
          next = (await visit(next, { prompt, login: person, password: 'any' })).to;
        }
      }
      throw new Error(`The sign-in ended at ${next}.`);
    },
    async whoAmI(): Promise<string | undefined> {
      const cookie = [...(jars.get(new URL(server.httpUrl).origin) ?? [])].map(([k, v]) => `${k}=${v}`).join('; ');
      const response = await fetch(`${server.httpUrl}/v0.1/user`, { headers: { cookie } });
      return ((await response.json()) as { email?: string }).email;
    },
  };
}

const addPerson = (name: string, claims: object = {}): string => {
  provider.people[name] = { email: `${name}@example.com`, email_verified: true, name, ...claims };
  return name;
};

test('signs in with a certified provider: a new account, and the same one again', async () => {
  const browser = openBrowser();
  expect(await browser.signIn(addPerson('mary'))).toBe('/orgs');
  expect(await browser.whoAmI()).toBe('mary@example.com');
  const other = openBrowser();
  provider.people.mary = { email: 'mary.jackson@example.com', email_verified: true };
  expect(await other.signIn('mary')).toBe('/orgs');
  expect(await other.whoAmI()).toBe('mary@example.com');
});

test('asks for the password of an account with the same address', async () => {
  const browser = openBrowser();
  expect(await browser.signIn(addPerson('impostor', { email: admin.email }))).toBe('/link-account');
  expect(await browser.whoAmI()).toBeUndefined();
});

test.each([
  ['without email_verified', { email_verified: undefined }],
  ['with an address that is not verified', { email_verified: false }],
])('creates no account %s', async (_, claims) => {
  const browser = openBrowser();
  expect(await browser.signIn(addPerson('katherine', claims))).toBe('/sign-in?problem=email');
  expect(await browser.whoAmI()).toBeUndefined();
});

const now = () => Math.floor(Date.now() / 1000);

test.each<[string, (claims: JWTPayload) => Record<string, unknown>]>([
  ['of another issuer', (claims) => ({ ...claims, iss: 'https://login.example.com' })],
  ['with another nonce', (claims) => ({ ...claims, nonce: 'another' })],
  ['without a nonce', (claims) => ({ ...claims, nonce: undefined })],
  ['for another client', (claims) => ({ ...claims, aud: 'another' })],
  ['that has expired', (claims) => ({ ...claims, iat: now() - 300, exp: now() - 120 })],
  ['from the future', (claims) => ({ ...claims, iat: now() + 300, exp: now() + 600 })],
  ['of another access token', (claims) => ({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })],
])('rejects an ID token %s', async (_, tamper) => {
  provider.tamper = tamper;
  onTestFinished(() => {
    provider.tamper = undefined;
  });
  const browser = openBrowser();
  expect(await browser.signIn(addPerson('dorothy'))).toBe('/sign-in?problem=invalid');
  expect(await browser.whoAmI()).toBeUndefined();
});

test.each<[string, (claims: JWTPayload) => Promise<string>]>([
  [
    'with HS256 and the client secret',
    (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(client.client_secret)),
  ],
  [
    'with a key of someone else',
    async (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign((await generateKeyPair('RS256')).privateKey),
  ],
])('rejects an ID token signed %s', async (_, forge) => {
  provider.forge = forge;
  onTestFinished(() => {
    provider.forge = undefined;
  });
  const browser = openBrowser();
  expect(await browser.signIn(addPerson('dorothy'))).toBe('/sign-in?problem=invalid');
  expect(await browser.whoAmI()).toBeUndefined();
});

test('accepts a tampered token that is correct, so the tests above fail for their reason', async () => {
  provider.tamper = (claims) => claims;
  onTestFinished(() => {
    provider.tamper = undefined;
  });
  expect(await openBrowser().signIn(addPerson('annie'))).toBe('/orgs');
});

test('reads new keys of the provider', { timeout: 60_000 }, async () => {
  addPerson('valerie');
  await provider.rotate();
  // Keys are fetched at most every ten seconds.
  await expect.poll(() => openBrowser().signIn('valerie'), { timeout: 50_000, interval: 2000 }).toBe('/orgs');
});
