import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Known } from './actor-cache.ts';

/** On https its name says that it comes from this very host over TLS: browsers take it from no other, not even a neighbour. */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-mooring_session' : 'mooring_session');

/** A request over TLS, or one that a trusted proxy received over TLS. */
export const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === 'https';

/** A kind of credential that is one secret text. Each is remembered apart, so that none can be spelled as another. */
export interface CredentialKind {
  /** As families name it. */
  readonly name: string;
  /** How a request carries it. */
  readonly sent: 'token' | 'session';
  /** Whether a text has its form; looked at before anything is looked up or remembered. */
  fits(value: string): boolean;
  /** Whom it speaks for; throws a failure where callers are to know why it does not hold. */
  find(value: string): Promise<Known | undefined>;
}

/** What a request carries to say who it is; the first of these that is there counts. */
export type Presented =
  | { kind: 'token'; value: string }
  | { kind: 'password'; login: string; password: string }
  | { kind: 'session'; value: string }
  | { kind: 'unreadable' };

export function readCredential(headers: IncomingHttpHeaders, isSecure: boolean): Presented | undefined {
  const token = headers['x-api-token'];
  if (token !== undefined) return { kind: 'token', value: String(token).trim() };
  if (headers.authorization !== undefined) return readAuthorization(headers.authorization);
  const session = headers.cookie && readCookie(headers.cookie, cookieName(isSecure));
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

function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export function sessionCookie(value: string, { secure, maxAge }: { secure: boolean; maxAge: number }): string {
  return `${cookieName(secure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
}
