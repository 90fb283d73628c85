import { expect, test } from 'vitest';
import { isEmail } from './email.ts';

test.each([
  ['grace@example.com', true],
  ['Grace.Hopper+north%1@sea.example.com', true],
  [`${'g'.repeat(242)}@example.com`, true],
  [`${'g'.repeat(243)}@example.com`, false],
  ['grace@localhost', false],
  ['grace', false],
  ['', false],
  ['@example.com', false],
  ['grace@example.com, eve@example.com', false],
  ['grace@example.com\nBcc: eve@example.com', false],
])('%j as an email address: %s', (text, is) => {
  expect(isEmail(text)).toBe(is);
});
