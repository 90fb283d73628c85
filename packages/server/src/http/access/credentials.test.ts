import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../test-support/hostile-text.ts';
import { readCredential, sessionCookie } from './credentials.ts';

const readOn = (scheme: 'http' | 'https', headers: Parameters<typeof readCredential>[0]) =>
  readCredential(headers, scheme === 'https');
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

test('finds no credential in a request without one', () => {
  expect(readOn('http', {})).toBeUndefined();
  expect(readOn('http', { cookie: 'theme=dark' })).toBeUndefined();
  expect(readOn('http', { cookie: '' })).toBeUndefined();
});

test.each([
  [{ 'x-api-token': 'moor_u_x' }, { kind: 'token', value: 'moor_u_x' }],
  [{ 'x-api-token': '  moor_u_x ' }, { kind: 'token', value: 'moor_u_x' }],
  [{ 'x-api-token': '' }, { kind: 'token', value: '' }],
  [{ authorization: 'Bearer moor_u_x' }, { kind: 'token', value: 'moor_u_x' }],
  [{ authorization: 'bearer   moor_u_x ' }, { kind: 'token', value: 'moor_u_x' }],
  [{ authorization: basic('ada:secret') }, { kind: 'password', login: 'ada', password: 'secret' }],
  [{ authorization: basic('ada:a:b') }, { kind: 'password', login: 'ada', password: 'a:b' }],
  [{ authorization: basic('ada:') }, { kind: 'password', login: 'ada', password: '' }],
  [
    { authorization: basic('ada:Pässwort 🔑').replace('Basic', 'BASIC') },
    { kind: 'password', login: 'ada', password: 'Pässwort 🔑' },
  ],
  [{ authorization: basic(':secret') }, { kind: 'unreadable' }],
  [{ authorization: basic('no colon') }, { kind: 'unreadable' }],
  [{ authorization: 'Basic' }, { kind: 'unreadable' }],
  [{ authorization: 'Digest abc' }, { kind: 'unreadable' }],
  [{ authorization: 'Bearer a b' }, { kind: 'unreadable' }],
  [{ authorization: '' }, { kind: 'unreadable' }],
  [{ cookie: 'mooring_session=abc' }, { kind: 'session', value: 'abc' }],
  [{ cookie: 'theme=dark; mooring_session=abc; other=1' }, { kind: 'session', value: 'abc' }],
  [{ cookie: 'xmooring_session=no;mooring_session=abc' }, { kind: 'session', value: 'abc' }],
  [{ cookie: 'mooring_sessionX; mooring_session=abc' }, { kind: 'session', value: 'abc' }],
])('reads %j as %j', (headers, presented) => {
  expect(readOn('http', headers)).toEqual(presented);
});

test('prefers the token header to Authorization, and that to the cookie', () => {
  const headers = { 'x-api-token': 'one', authorization: 'Bearer two', cookie: 'mooring_session=three' };
  expect(readOn('http', headers)).toEqual({ kind: 'token', value: 'one' });
  expect(readOn('http', { ...headers, 'x-api-token': undefined })).toEqual({ kind: 'token', value: 'two' });
  expect(readOn('http', { cookie: headers.cookie })).toEqual({ kind: 'session', value: 'three' });
});

test('does not fall back to the cookie after an invalid Authorization', () => {
  expect(readOn('http', { authorization: 'what', cookie: 'mooring_session=abc' })).toEqual({ kind: 'unreadable' });
});

test('never throws on malformed headers', () => {
  fc.assert(
    fc.property(fc.string({ unit: anySign }), fc.string({ unit: anySign }), (authorization, cookie) => {
      expect(readOn('http', { authorization })).toHaveProperty('kind');
      const session = readOn('http', { cookie });
      if (session) expect(session.kind).toBe('session');
    }),
  );
});

test('hides the session cookie from scripts, other sites, and plain HTTP if it was set on HTTPS', () => {
  const parts = (secure: boolean) => sessionCookie('abc', { secure, maxAge: 60 }).split('; ');
  expect(parts(false)).toEqual(['mooring_session=abc', 'Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=60']);
  expect(parts(true)).toEqual(['__Host-mooring_session=abc', ...parts(false).slice(1), 'Secure']);
});

test('accepts only the cookie that no other host can set on HTTPS', () => {
  const cookie = 'mooring_session=planted; __Host-mooring_session=own';
  expect(readOn('https', { cookie })).toEqual({ kind: 'session', value: 'own' });
  expect(readOn('https', { cookie: 'mooring_session=planted' })).toBeUndefined();
  expect(readOn('http', { cookie: '__Host-mooring_session=own' })).toBeUndefined();
});
