import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodeJwt, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** The part of the library that is used. */
interface Context {
  path: string;
  body: { id_token?: string };
}
interface ProviderClass {
  new (
    issuer: string,
    configuration: object,
  ): {
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void;
  };
}

export const client = { client_id: 'mooring', client_secret: 'a secret: with + signs' };

type Claims = Record<string, unknown>;

interface SignOut {
  /** The page after the sign-out. */
  returnTo: string;
  /** Receives logout tokens. */
  notify: string;
}

export interface IdentityProvider {
  issuer: string;
  /** Claims of the people, by the name that they enter. */
  people: Record<string, Claims>;
  /** Replaces the claims of an ID token; the provider signs them. */
  tamper: ((claims: JWTPayload) => Claims) | undefined;
  /** Replaces the signed ID token. */
  forge: ((claims: JWTPayload) => Promise<string>) | undefined;
  /** Starts again with new keys. */
  rotate(): Promise<void>;
  /** Registers the client with its redirect URI, and its addresses for signing out. */
  register(redirectUri: string, signOut?: SignOut): Promise<void>;
  stop(): Promise<void>;
}

/** A certified OpenID Connect provider, with its own forms for login and consent. */
export async function startProvider(): Promise<IdentityProvider> {
  const entry = createRequire(path.join(import.meta.dirname, 'package.json')).resolve('oidc-provider');
  const { default: Provider } = (await import(pathToFileURL(entry).href)) as { default: ProviderClass };
  let redirectUris: string[] = [];
  let signOutOptions = {};
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function open(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = crypto.randomUUID();
    const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
    const provider = new Provider(issuer, {
      clients: [{ ...client, redirect_uris: redirectUris, ...signOutOptions }],
      features: { backchannelLogout: { enabled: true } },
      // Its own agent refuses the loopback, where the server of the test is.
      fetch: (url: string, { dispatcher: _agent, ...options }: RequestInit & { dispatcher?: unknown }) =>
        fetch(url, options),
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...self.people[sub] }) }),
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key of the test'] },
    });
    provider.use(async (ctx, next) => {
      await next();
      const { id_token } = ctx.path === '/token' ? ctx.body : {};
      if (!id_token) return;
      const claims = decodeJwt(id_token);
      if (self.forge) ctx.body.id_token = await self.forge(claims);
      else if (self.tamper) {
        const changed = Object.entries(self.tamper(claims)).filter(([, value]) => value !== undefined);
        const token = new SignJWT(Object.fromEntries(changed)).setProtectedHeader({ alg: 'RS256', kid });
        ctx.body.id_token = await token.sign(privateKey);
      }
    });
    handle = provider.callback();
  }

  const self: IdentityProvider = {
    issuer,
    people: {},
    tamper: undefined,
    forge: undefined,
    rotate: open,
    register: (uri, signOut) => {
      redirectUris = [uri];
      signOutOptions = signOut
        ? {
            post_logout_redirect_uris: [signOut.returnTo],
            backchannel_logout_uri: signOut.notify,
            backchannel_logout_session_required: true,
          }
        : {};
      return open();
    },
    stop: () => new Promise((done) => void server.close(() => done())),
  };
  return self;
}
