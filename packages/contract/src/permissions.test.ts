import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appPermissions, atLeast, atMost, mayCall } from './permissions.ts';

const permission = fc.constantFrom(...appPermissions);

test.each([
  ['manager', 'manager', true],
  ['manager', 'tester', true],
  ['developer', 'manager', false],
  ['developer', 'viewer', true],
  ['viewer', 'developer', false],
  ['viewer', 'tester', true],
  ['tester', 'viewer', false],
] as const)('a %s may do what needs %s: %s', (has, needs, allowed) => {
  expect(atLeast(has, needs)).toBe(allowed);
});

test('a ceiling of viewer leaves a manager viewer and a tester tester', () => {
  expect(atMost('manager', 'viewer')).toBe('viewer');
  expect(atMost('developer', 'viewer')).toBe('viewer');
  expect(atMost('viewer', 'viewer')).toBe('viewer');
  expect(atMost('tester', 'viewer')).toBe('tester');
});

test('a ceiling never gives more than somebody had, nor more than the ceiling', () => {
  fc.assert(
    fc.property(permission, permission, (has, ceiling) => {
      const left = atMost(has, ceiling);
      expect(atLeast(has, left)).toBe(true);
      expect(atLeast(ceiling, left)).toBe(true);
      expect([has, ceiling]).toContain(left);
    }),
  );
});

test.each([
  ['read', true],
  ['change', false],
  ['ingest', false],
])('what an operation does, and not its method, decides whether a Read-Only token may call it: %s', (effect, may) => {
  for (const method of ['GET', 'POST']) {
    const spec = { access: 'user', effect, method };
    expect([mayCall(spec, 'user', 'viewer'), mayCall(spec, 'user', 'all')]).toEqual([may, true]);
  }
});
