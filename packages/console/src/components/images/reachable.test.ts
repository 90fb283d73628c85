import { expect, test } from 'vitest';
import { isReachable } from './reachable.ts';

test.each([
  ['http://localhost:8080/install', false],
  ['http://mooring.localhost/', false],
  ['https://127.0.0.1/', false],
  ['http://[::1]:8080/', false],
  ['http://192.168.1.20:8080/', true],
  ['https://mooring.example.com/install/', true],
  ['otpauth://totp/Mooring:ada?secret=abc', true],
])('knows if phones can open %s', (url, expected) => {
  expect(isReachable(url)).toBe(expected);
});
