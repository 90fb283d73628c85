import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import { createProvider } from '../../src/domains/sign-in/providers/providers.ts';
import type { TestApp } from './app.ts';

/** Allows requests to providers of tests. */
export const allowsLoopback: Partial<Config> = { outboundAllow: ['127.0.0.1'] };

type Values = Record<string, unknown>;

/** An OpenID Connect provider on the loopback, which tests can make misbehave. */
export interface SignInProvider {
  issuer: string;
  /** URLs of all requests. */
  requests: string[];
  /** The person who is signed in there. */
  person: Values;
  /** Overrides of claims in ID tokens; undefined removes one. */
  claims: Values;
  header: Partial<JWTHeaderParameters>;
  /** Overrides of the discovery document. */
  metadata: Values;
  /** Claims of UserInfo; without them, there is no such endpoint. */
  userInfo: Values | undefined;
  /** Returned instead of the signed ID token. */
  idToken: ((signed: string) => string) | undefined;
  /** Overrides of the parameters in the response to the browser. */
  response: Values;
  isDown: boolean;
  rotate(): Promise<void>;
  /** Signs claims with its key. */
  sign(claims: Values, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Signs the person in, and returns the path of the callback. */
  authorize(location: string): string;
}

interface Grant {
  challenge: string;
  redirectUri: string;
  nonce: string;
}

export async function signInProvider(app: TestApp, alg: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' = 'RS256') {
  let keys: JWK[] = [];
  let pair = await generateKeyPair(alg);
  let kid = '';
  const grants = new Map<string, Grant>();

  async function exchange(request: IncomingMessage): Promise<[status: number, body: object]> {
    const form = new URLSearchParams(await text(request));
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    // RFC 6749 encodes both parts as in a form.
    if (request.headers.authorization !== `Basic ${btoa('mooring:a+secret')}`) {
      return [401, { error: 'invalid_client' }];
    }
    const isGranted = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    if (!grant || !isGranted) return [400, { error: 'invalid_grant' }];
    const now = Math.floor(app.deps.clock.now() / 1000);
    const claims = {
      iss: self.issuer,
      aud: 'mooring',
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      ...self.person,
      ...self.claims,
    };
    const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
    const signed = await new SignJWT(present).setProtectedHeader({ alg, kid, ...self.header }).sign(pair.privateKey);
    const id_token = self.idToken?.(signed) ?? signed;
    return [200, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token }];
  }

  async function respond(request: IncomingMessage): Promise<[status: number, body: object]> {
    if (self.isDown) return [503, {}];
    if (request.url === '/keys') return [200, { keys }];
    if (request.url === '/token') return exchange(request);
    if (request.url === '/me') return [200, self.userInfo ?? {}];
    return [
      200,
      {
        issuer: self.issuer,
        authorization_endpoint: `${self.issuer}/authorize`,
        token_endpoint: `${self.issuer}/token`,
        jwks_uri: `${self.issuer}/keys`,
        id_token_signing_alg_values_supported: [alg],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        ...(self.userInfo ? { userinfo_endpoint: `${self.issuer}/me` } : {}),
        ...self.metadata,
      },
    ];
  }

  const server = createServer((request, response) => {
    self.requests.push(request.url ?? '');
    void respond(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));

  const self: SignInProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    person: { sub: 's-1', email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' },
    claims: {},
    header: {},
    metadata: {},
    userInfo: undefined,
    idToken: undefined,
    response: {},
    isDown: false,
    sign: (claims, header) => new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(pair.privateKey),
    async rotate() {
      pair = await generateKeyPair(alg, { extractable: true });
      kid = `key-${keys.length}`;
      keys = [{ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }];
    },
    authorize(location) {
      const { searchParams: query } = new URL(location);
      const code = randomUUID();
      const redirectUri = query.get('redirect_uri') ?? '';
      grants.set(code, {
        challenge: query.get('code_challenge') ?? '',
        redirectUri,
        nonce: query.get('nonce') ?? '',
      });
      const parameters = { code, state: query.get('state'), iss: self.issuer, ...self.response };
      const sent = Object.entries(parameters).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]]));
      return `${new URL(redirectUri).pathname}?${new URLSearchParams(sent)}`;
    },
  };
  await self.rotate();
  return self;
}

/** Adds a provider of a test to the server. */
export const addProvider = (
  app: TestApp,
  { issuer }: Pick<SignInProvider, 'issuer'>,
  more: Partial<Parameters<typeof createProvider>[1]> = {},
) =>
  createProvider(systemCtx(app.deps), {
    name: 'corp',
    displayName: 'Corp',
    issuer,
    clientId: 'mooring',
    clientSecret: 'a secret',
    ...more,
  });

/** A browser: sends the cookies that it has received. */
export function openCookieBrowser(app: TestApp) {
  const cookies = new Map<string, string>();
  const send = async (method: string, url: string, body?: unknown) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.call(method, url, {
      headers: { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return response;
  };
  return {
    cookies,
    send,
    /** Signs in with the provider, and returns the last redirect. */
    async signIn(provider: SignInProvider, { name = 'corp', query = '' } = {}): Promise<string> {
      const start = await send('GET', `/auth/oidc/${name}${query}`);
      const location = String(start.headers.location);
      if (!location.startsWith('http')) return location;
      return String((await send('GET', provider.authorize(location))).headers.location);
    },
    /** Name of the signed-in user. */
    async whoAmI(): Promise<string | undefined> {
      return (await send('GET', '/v0.1/user')).json().name;
    },
  };
}
