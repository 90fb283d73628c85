import type { IncomingHttpHeaders } from 'node:http';

export const SESSION_COOKIE = 'mooring_session';

/** What a request carries to say who it is; the first of these that is there counts. */
export type Presented =
  | { kind: 'token'; value: string }
  | { kind: 'password'; login: string; password: string }
  | { kind: 'session'; value: string }
  | { kind: 'unreadable' };

export function readCredential(headers: IncomingHttpHeaders): Presented | undefined {
  const token = headers['x-api-token'];
  if (token !== undefined) return { kind: 'token', value: String(token).trim() };
  if (headers.authorization !== undefined) return readAuthorization(headers.authorization);
  const session = headers.cookie && readCookie(headers.cookie, SESSION_COOKIE);
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
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
}
