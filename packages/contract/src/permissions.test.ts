import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apps_transferOwnership } from './apps/apps.contract.ts';
import {
  type Access,
  appPermissions,
  atLeast,
  atMost,
  callers,
  impliedRank,
  isRankAtLeast,
  mayCall,
  needsCredential,
  ranks,
  readAccess,
  type ScopeName,
} from './permissions.ts';
import { appApiTokens_create } from './tokens/api-tokens.contract.ts';

const permission = fc.constantFrom(...appPermissions);

test.each([
  ['manager', 'manager', true],
  ['manager', 'tester', true],
  ['developer', 'manager', false],
  ['developer', 'viewer', true],
  ['viewer', 'developer', false],
  ['viewer', 'tester', true],
  ['tester', 'viewer', false],
] as const)('a %s may call operations that require %s: %s', (has, needs, allowed) => {
  expect(atLeast(has, needs)).toBe(allowed);
});

test('a ceiling of viewer limits a manager to viewer and keeps a tester a tester', () => {
  expect(atMost('manager', 'viewer')).toBe('viewer');
  expect(atMost('developer', 'viewer')).toBe('viewer');
  expect(atMost('viewer', 'viewer')).toBe('viewer');
  expect(atMost('tester', 'viewer')).toBe('tester');
});

test("a ceiling never grants more than the caller's permission or the ceiling", () => {
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
])('the effect of an operation, not its method, decides whether a Read-Only token may call it: %s', (effect, may) => {
  for (const method of ['GET', 'POST']) {
    const spec = { access: 'user', effect, method } as const;
    expect([mayCall(spec, 'user', 'viewer'), mayCall(spec, 'user', 'all')]).toEqual([may, true]);
  }
});

test('each access names a scope and a rank of it', () => {
  expect(readAccess('app:viewer')).toEqual({ scope: 'app', needs: 'viewer' });
  expect(readAccess('admin')).toEqual({ scope: 'admin', needs: 'admin' });
});

const accesses = (Object.keys(ranks) as ScopeName[]).flatMap((scope) =>
  ranks[scope].map((rank) => (rank === scope ? scope : `${scope}:${rank}`) as Access),
);

test('ranks are ordered as in their list', () => {
  for (const scope of Object.keys(ranks) as ScopeName[]) {
    for (const [at, has] of ranks[scope].entries()) {
      for (const [below, needs] of ranks[scope].entries()) expect(isRankAtLeast(scope, has, needs)).toBe(at >= below);
    }
  }
});

test('a Read-Only token may call a subset of the operations of Full Access, and changes nothing', () => {
  for (const access of accesses) {
    for (const caller of callers) {
      const read = { access, effect: 'read' };
      if (mayCall(read, caller, 'viewer')) expect(mayCall(read, caller, 'all')).toBe(true);
      if (needsCredential({ access })) expect(mayCall({ access, effect: 'change' }, caller, 'viewer')).toBe(false);
    }
  }
});

test('administrators are operators and read all subscriptions; admins of an organization manage its apps', () => {
  const may = (access: Access, caller: (typeof callers)[number]) =>
    mayCall({ access, effect: 'change' }, caller, 'all');
  expect(['operator', 'subscription:reader', 'admin'].map((access) => may(access as Access, 'administrator'))).toEqual(
    Array(3).fill(true),
  );
  expect([may('app:manager', 'org:admin'), may('app:tester', 'org:collaborator')]).toEqual([true, false]);
  expect([may('app:tester', 'administrator'), may('org:member', 'administrator')]).toEqual([false, false]);
  expect([impliedRank('org:admin', 'app'), impliedRank('admin', 'app')]).toEqual(['manager', undefined]);
});

test('creating a Full Access token requires a manager, a Read-Only one a developer; the default is Full Access', () => {
  const may = (caller: (typeof callers)[number], body?: object) => mayCall(appApiTokens_create, caller, 'all', body);
  for (const body of [{}, { scope: ['all'] }, { scope: ['viewer', 'all'] }]) {
    expect([body, may('app:developer', body), may('app:manager', body)]).toEqual([body, false, true]);
  }
  expect(may('app:developer', { scope: ['viewer'] })).toBe(true);
  expect(may('app:viewer', { scope: ['viewer'] })).toBe(false);
  expect(may('app:developer')).toBe(true);
});

test('only users can transfer an app', () => {
  expect(apps_transferOwnership.only).toBe('person');
});
