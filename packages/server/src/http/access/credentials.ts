import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { LastUseEntry } from '../../context.ts';
import type { CachedActor } from './actor-cache.ts';

/**
 * On https, the prefix `__Host-` ensures that the cookie was set by this very host over TLS; browsers accept it from no
 * other, not even a sibling domain.
 */
const cookieName = (name: string, isSecure: boolean): string => `${isSecure ? '__Host-' : ''}mooring_${name}`;

const SESSION = 'session';

/** True for a request over TLS, or one that a trusted proxy received over TLS. */
export const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === 'https';

/**
 * A kind of credential that consists of one secret. Each kind has its own cache keys, so no secret can be mistaken for
 * one of another kind.
 */
export interface CredentialKind {
  /** Name in API surfaces. */
  readonly name: string;
  /** How a request carries it. */
  readonly sent: 'token' | 'session';
  /** True if a text has its format; checked before any lookup. */
  fits(value: string): boolean;
  /** Finds the actor of a secret. Throws a failure if the caller should know why it is invalid. */
  find(value: string): Promise<CachedActor | undefined>;
  /** Writes when credentials of this kind were last used, every few seconds. */
  writeLastUse?(entries: LastUseEntry[]): Promise<void>;
}

/** The credential of a request; the first one present counts. */
export type Presented =
  | { kind: 'token'; value: string }
  | { kind: 'password'; login: string; password: string }
  | { kind: 'session'; value: string }
  | { kind: 'unreadable' };

export function readCredential(headers: IncomingHttpHeaders, isSecure: boolean): Presented | undefined {
  const token = headers['x-api-token'];
  if (token !== undefined) return { kind: 'token', value: String(token).trim() };
  if (headers.authorization !== undefined) return readAuthorization(headers.authorization);
  const session = headers.cookie && readCookie(headers.cookie, SESSION, isSecure);
  return session ? { kind: 'session', value: session } : undefined;
}

function readAuthorization(header: string): Presented {
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return { kind: 'token', value: rest };
  if (!/^basic$/i.test(scheme)) return { kind: 'unreadable' };
  const pair = Buffer.from(rest, 'base64').toString();
  const colon = pair.indexOf(':');
  return colon < 1 || pair.includes('\0')
    ? { kind: 'unreadable' }
    : { kind: 'password', login: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/** Reads a cookie of this server from the header `Cookie`. */
export function readCookie(header: string, cookie: string, isSecure: boolean): string | undefined {
  const name = cookieName(cookie, isSecure);
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

interface CookieOptions {
  secure: boolean;
  /** In seconds. */
  maxAge: number;
}

/** The header that sets a cookie, for pages of this server and for navigation from other sites. */
export const writeCookie = (name: string, value: string, { secure, maxAge }: CookieOptions): string =>
  `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;

export const sessionCookie = (value: string, options: CookieOptions): string => writeCookie(SESSION, value, options);
