import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import type { TestApp } from '../app.ts';

/** An identity provider on the loopback. */
export async function provider(alg: 'RS256' | 'ES256' | 'PS256' = 'RS256') {
  let keys: JWK[] = [];
  let pair = await generateKeyPair(alg);
  let kid = '';
  let issuer = '';
  let isDown = false;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.statusCode = isDown ? 503 : 200;
    const document = { issuer, jwks_uri: `${issuer}/keys` };
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : document));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self = {
    issuer,
    requests,
    async rotate() {
      pair = await generateKeyPair(alg, { extractable: true });
      kid = `key-${keys.length}`;
      keys = [...keys, { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }];
    },
    goDown() {
      isDown = true;
    },
    sign: (app: TestApp, claims: object = {}) => {
      const exp = app.deps.clock.now() / 1000 + 600;
      const usual = { iss: issuer, aud: 'mooring', sub: 's-1', exp, email: 'grace@example.com', email_verified: true };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(pair.privateKey);
    },
  };
  await self.rotate();
  return self;
}
