import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Issuer {
  url: string;
  /** A signed token with these claims. */
  issue(claims: Record<string, unknown>): string;
  close(): void;
}

/** An external identity provider: its discovery document, its keys, and the tokens that it signs. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }];
  const server = createServer((request, response) => {
    const document = request.url === '/keys' ? { keys } : { issuer: url, jwks_uri: `${url}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    url,
    issue: (claims) => {
      const text = `${encode({ typ: 'JWT', alg: 'RS256', kid: 'one' })}.${encode({ iss: url, ...claims })}`;
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
    },
    close: () => server.close(),
  };
}
