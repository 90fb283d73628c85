import { expect, test } from 'vitest';
import { isRegistered, isRegisteredOrigin, loopbackOrigin, redirectProblem } from './redirect-uris.ts';

test.each([
  'https://board.example.com/signed-in',
  'https://board.example.com:8443/?from=mooring',
  'http://localhost/',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:9000/',
])('%s can be registered', (uri) => {
  expect(redirectProblem(uri)).toBeUndefined();
});

test.each([
  'http://board.example.com/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'http://127.0.0.2/',
  'https://board.example.com/#here',
  'https://user:secret@board.example.com/',
  'https://board.example.com/ü',
  'https://board.example.com/a b',
  'javascript:alert(1)',
  'com.example.app:/callback',
  '/signed-in',
  '//board.example.com',
  '',
])('%j cannot be registered', (uri) => {
  expect(redirectProblem(uri)).toMatch(/^(be|have|contain|start) /);
});

const registered = ['https://board.example.com/signed-in', 'http://localhost/callback', 'http://127.0.0.1:9/'];

test.each([
  ['https://board.example.com/signed-in', true],
  ['https://board.example.com/signed-in/', false],
  ['https://board.example.com/signed-in?x=1', false],
  ['https://BOARD.example.com/signed-in', false],
  ['https://board.example.com:444/signed-in', false],
  ['https://board.example.com/signed-in#x', false],
  ['https://board.example.com/other/../signed-in', false],
  ['http://localhost:51234/callback', true],
  ['http://localhost/callback', true],
  ['http://localhost:51234/else', false],
  ['http://localhost:99999/callback', false],
  ['http://localhost:80@evil.example/callback', false],
  ['http://localhost:1\\@evil.example/callback', false],
  ['http://127.0.0.1:51234', true],
  ['http://127.0.0.1:51234/', true],
  ['http://127.0.0.1:51234/callback', false],
  ['http://[::1]:51234/', false],
  ['https://localhost/callback', false],
  ['', false],
])('%s is a registered URL: %s', (uri, expected) => {
  expect(isRegistered(registered, uri)).toBe(expected);
});

test('on the loopback a consent is valid for one port only', () => {
  expect(loopbackOrigin('https://board.example.com/a')).toBe(loopbackOrigin('https://other.example.com/'));
  expect(loopbackOrigin('http://localhost:1/')).not.toBe(loopbackOrigin('http://localhost:2/'));
});

test.each([
  ['https://board.example.com', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', false],
  ['https://evil.example', false],
  ['null', false],
])('a page of %s may exchange codes: %s', (origin, expected) => {
  expect(isRegisteredOrigin(registered, origin)).toBe(expected);
});
