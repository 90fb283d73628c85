import { createHash } from 'node:crypto';
import { systemCtx } from '../../../src/context.ts';
import { type Client, createClient, type NewClient } from '../../../src/domains/identity/clients/clients.ts';
import { password, type TestApp } from '../app.ts';

export const AUTHORIZE = '/common/oauth2/authorize';
export const TOKEN = '/common/oauth2/token';
export const redirectUri = 'https://board.example.com/signed-in';

export const verifier = 'a-verifier-that-is-long-enough-for-the-standard-1234';
export const challenge = createHash('sha256').update(verifier).digest('base64url');
export const pkce = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };

export const addClient = (app: TestApp, input: Partial<NewClient> = {}): Promise<Client> =>
  createClient(systemCtx(app.deps), {
    name: 'Status board',
    redirectUris: [redirectUri],
    allowsImplicit: true,
    ...input,
  });

/** Removes undefined values, so that tests can omit a parameter. */
export type Parameters = Record<string, string | undefined>;

export const toAuthorizeUrl = (client: { id: string }, more: Parameters = {}): string => {
  const values = { client_id: client.id, redirect_uri: redirectUri, response_type: 'token', state: 'a b', ...more };
  return new URLSearchParams(Object.entries(values).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))).toString();
};

/** Redirect URL of a response, with its parameters. */
export interface Sent {
  status: number;
  /** Without query and fragment. */
  to: string | undefined;
  query: Record<string, string>;
  fragment: Record<string, string>;
  location: string;
  body: string;
}

const pairs = (text: string) => Object.fromEntries(new URLSearchParams(text));

/** A browser with a session that calls the authorize endpoint. */
export interface Browser {
  headers: Record<string, string>;
  visit(url: string): Promise<Sent>;
  ask(client: { id: string }, more?: Parameters): Promise<Sent>;
  signIn(login: string): Promise<void>;
  signOut(): Promise<void>;
  /** Submits the consent page. */
  answer(request: string, isAllowed?: boolean): Promise<Sent>;
  /** Authorizes, consents, and returns the redirect to the client. */
  obtain(client: { id: string }, more?: Parameters): Promise<Sent>;
}

export function openBrowser(app: TestApp): Browser {
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  const visit = async (url: string): Promise<Sent> => {
    const answer = await app.call('GET', url, { headers });
    const location = String(answer.headers.location ?? '');
    const [rest = '', fragment = ''] = location.split('#');
    const [to = '', query = ''] = rest.split('?');
    return {
      status: answer.statusCode,
      to: location ? to : undefined,
      query: pairs(query),
      fragment: pairs(fragment),
      location,
      body: answer.body,
    };
  };
  const browser: Browser = {
    headers,
    visit,
    ask: (client, more) => visit(`${AUTHORIZE}?${toAuthorizeUrl(client, more)}`),
    signIn: async (login) => {
      const answer = await app.call('POST', '/v0.1/sessions', { headers, body: { login, password } });
      headers.cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    },
    signOut: async () => {
      await app.call('DELETE', '/v0.1/sessions/current', { headers });
    },
    answer: async (request, isAllowed = true) => {
      const body = { request, is_allowed: isAllowed };
      const answer = await app.call('POST', '/v0.1/oauth/consents', { headers, body });
      const { location = '' } = answer.json();
      if (location.startsWith('/')) return visit(location);
      const [to = '', fragment = ''] = location.split('#');
      return { status: answer.statusCode, to, query: {}, fragment: pairs(fragment), location, body: answer.body };
    },
    obtain: async (client, more) => {
      const sent = await browser.ask(client, more);
      return sent.to === '/consent' ? browser.answer(sent.location.slice('/consent?'.length)) : sent;
    },
  };
  return browser;
}

/** A signed-in user who has authorized a client, and its access token. */
export async function signedIn(app: TestApp, name = 'grace') {
  const user = await app.addUser(name);
  const client = await addClient(app);
  const browser = openBrowser(app);
  await browser.signIn(name);
  const { fragment } = await browser.obtain(client);
  return { user, client, browser, token: fragment.access_token ?? '' };
}

/** Sends a form to the token endpoint. */
export const exchange = (app: TestApp, fields: Parameters, headers: Record<string, string> = {}) => {
  const entries = Object.entries(fields).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]));
  return app.call('POST', TOKEN, {
    body: new URLSearchParams(entries).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
};

/** Obtains a code, and returns the form that exchanges it for a token. */
export async function codeFor(browser: Browser, client: { id: string }, more: Parameters = {}) {
  const sent = await browser.obtain(client, { ...pkce, ...more });
  return {
    grant_type: 'authorization_code',
    code: sent.query.code ?? sent.fragment.code,
    redirect_uri: redirectUri,
    client_id: client.id,
    code_verifier: verifier,
  };
}
