import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXCHANGE_GRANT } from '@mooring/contract';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import type { TestApp } from './app.ts';

type Values = Record<string, unknown>;

/** An issuer of ID tokens on the loopback, which tests can make misbehave. */
export interface CiIssuer {
  issuer: string;
  /** Paths of all requests. */
  requests: string[];
  keys: JWK[];
  /** Overrides of the discovery document. */
  metadata: Values;
  /** Replaces the response to a path. */
  respond: Record<string, { status: number; headers?: Record<string, string>; body?: string }>;
  rotate(): Promise<void>;
  /** Signs the claims of a job on the main branch of octo/compass, with overrides; undefined removes one. */
  sign(claims?: Values, header?: Partial<JWTHeaderParameters>): Promise<string>;
}

export async function ciIssuer(app: TestApp, alg: 'RS256' | 'ES256' = 'RS256'): Promise<CiIssuer> {
  let pair = await generateKeyPair(alg);
  let kid = '';
  let jobs = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    self.requests.push(path);
    const document = { issuer: self.issuer, jwks_uri: `${self.issuer}/keys`, ...self.metadata };
    const usual = { status: 200, body: JSON.stringify(path === '/keys' ? { keys: self.keys } : document) };
    const { status, headers, body }: CiIssuer['respond'][string] = self.respond[path] ?? usual;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  const self: CiIssuer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    keys: [],
    metadata: {},
    respond: {},
    async rotate() {
      pair = await generateKeyPair(alg, { extractable: true });
      kid = `key-${Math.random()}`;
      self.keys = [{ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }];
    },
    sign(overrides = {}, header = {}) {
      const now = Math.floor(app.deps.clock.now() / 1000);
      jobs += 1;
      const claims = {
        iss: self.issuer,
        aud: app.deps.publicUrl(),
        sub: 'repo:octo/compass:ref:refs/heads/main',
        repository: 'octo/compass',
        repository_owner: 'octo',
        ref: 'refs/heads/main',
        run_id: '4711',
        jti: `job-${jobs}`,
        iat: now,
        nbf: now,
        exp: now + 300,
        ...overrides,
      };
      const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
      return new SignJWT(present).setProtectedHeader({ alg, kid, ...header }).sign(pair.privateKey);
    },
  };
  await self.rotate();
  return self;
}

/** Exchanges an ID token for a token of an app. */
export const exchangeIdToken = (app: Pick<TestApp, 'http'>, idToken: string, more: Values = {}) =>
  app.http.inject({
    method: 'POST',
    url: '/common/oauth2/token',
    payload: {
      grant_type: EXCHANGE_GRANT,
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      audience: 'ada/compass',
      ...more,
    },
  });
