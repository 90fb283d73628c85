import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesClaims, matchesPattern, namesOwner } from './claim-patterns.ts';

test.each([
  ['octo/compass', 'octo/compass', true],
  ['octo/compass', 'octo/compass-evil', false],
  ['octo/compass', 'Octo/compass', false],
  ['octo/*', 'octo/compass', true],
  ['octo/*', 'octo/', true],
  ['octo/*', 'octopus/compass', false],
  ['octo/*', 'evil/octo/compass', false],
  ['octo/*', 'octo/compass/evil', false],
  ['octo*', 'octo/compass', false],
  ['refs/heads/release-*', 'refs/heads/release-1/evil', false],
  ['refs/heads/release-*-*', 'refs/heads/release-1-2', true],
  ['repo:octo/*:ref:refs/heads/main', 'repo:octo/compass:ref:refs/heads/main', true],
  ['repo:octo/*:ref:refs/heads/main', 'repo:octo/compass:environment:x:ref:refs/heads/main', false],
  ['repo:octo/*', 'repo:octo/compass:pull_request', false],
  ['a.c', 'abc', false],
  ['*a*b', 'xaxbxb', true],
  ['*a*b', 'xaxbx', false],
  ['', 'x', false],
])('the pattern %j compared with %j: %s', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

/** The model: a regular expression, for short texts. */
const asExpression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.]/g, '\\.'))
      .join('[^/:]*')}$`,
  );

test('patterns match as the plain model says', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', ':', '.', '*'), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', ':', '.'), maxLength: 10 });
  fc.assert(
    fc.property(pattern, text, (rule, actual) => {
      expect(matchesPattern(rule, actual)).toBe(asExpression(rule).test(actual));
    }),
    { numRuns: 500 },
  );
});

test('a pattern of many stars is compared quickly', () => {
  expect(matchesPattern('*a'.repeat(127), `${'a'.repeat(999)}b`)).toBe(false);
});

test('claims must all exist and be plain values', () => {
  const claims = { repository: 'octo/compass', run: 7, is_fork: false, list: ['octo/compass'], none: null };
  expect(matchesClaims({ repository: 'octo/*', run: '7', is_fork: 'false' }, claims)).toBe(true);
  expect(matchesClaims({ repository: 'octo/*', ref: '*' }, claims)).toBe(false);
  expect(matchesClaims({ list: '*/*' }, claims)).toBe(false);
  expect(matchesClaims({ none: '*' }, claims)).toBe(false);
  expect(matchesClaims({ constructor: '*', to_string: '*' }, claims)).toBe(false);
});

test.each([
  ['github', { repository: 'octo/compass' }, true],
  ['github', { repository: 'octo/*' }, true],
  ['github', { repository: '*/compass' }, false],
  ['github', { repository: 'oct*/compass' }, false],
  ['github', { repository: '*' }, false],
  ['github', { repository_owner: 'octo' }, true],
  ['github', { repository_owner: 'octo*' }, false],
  ['github', { sub: 'repo:octo/compass:ref:refs/heads/main' }, true],
  ['github', { sub: 'repo:*/compass:ref:refs/heads/main' }, false],
  ['github', { sub: 'repo:octo/' }, false],
  ['github', { ref: 'refs/heads/main' }, false],
  ['github', { project_path: 'octo/compass' }, false],
  ['gitlab', { project_path: 'octo/compass' }, true],
  ['gitlab', { namespace_path: 'octo' }, true],
  ['gitlab', { namespace_path: 'octo/mobile' }, true],
  ['gitlab', { namespace_path: '*/mobile' }, false],
  ['gitlab', { sub: 'project_path:octo/compass:ref_type:branch:ref:main' }, true],
  ['gitlab', { sub: 'project_path:*/compass:ref_type:branch:ref:main' }, false],
  ['gitlab', { repository: 'octo/compass' }, false],
] as const)('a %s rule with the claims %o names an owner: %s', (provider, claims, expected) => {
  expect(namesOwner(provider, claims)).toBe(expected);
});
