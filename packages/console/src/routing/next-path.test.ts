import { expect, test } from 'vitest';
import { isServerPath, nextPath, signInPath } from './next-path.ts';

const origin = 'https://mooring.example.com';

test.each([
  ['/', '/'],
  ['/settings/tokens', '/settings/tokens'],
  ['/admin/audit?x=1#top', '/admin/audit?x=1#top'],
  ['/common/oauth2/authorize?state=%2F%2Fevil&a=b', '/common/oauth2/authorize?state=%2F%2Fevil&a=b'],
])('returns to the page %j of this site', (requested, path) => {
  expect(nextPath(requested, origin)).toBe(path);
});

test.each([
  null,
  '',
  'settings',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e%2e//evil.example',
  '\\/evil.example',
  ' //evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
])('ignores %j', (requested) => {
  expect(nextPath(requested, origin)).toBe('/');
});

test('remembers the requested page, unless it is the home page', () => {
  expect(signInPath({ pathname: '/', search: '' })).toBe('/sign-in');
  expect(signInPath({ pathname: '/', search: '' }, 'signed_out')).toBe('/sign-in?problem=signed_out');
  expect(signInPath({ pathname: '/admin/users', search: '?a=b' })).toBe('/sign-in?next=%2Fadmin%2Fusers%3Fa%3Db');
});

test('leaves only the authorize endpoint to the server', () => {
  expect(isServerPath('/common/oauth2/authorize?client_id=1')).toBe(true);
  expect(isServerPath('/install/users/ada/apps/compass')).toBe(true);
  for (const path of [
    '/',
    '/consent?client_id=1',
    '/common/oauth2/authorized',
    '/installed',
    '/x/common/oauth2/authorize?',
  ]) {
    expect(isServerPath(path)).toBe(false);
  }
});
