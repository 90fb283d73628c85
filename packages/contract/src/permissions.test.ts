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
    const spec = { access: 'user', effect, method } as const;
    expect([mayCall(spec, 'user', 'viewer'), mayCall(spec, 'user', 'all')]).toEqual([may, true]);
  }
});

test('an access names a scope and a rank of it', () => {
  expect(readAccess('app:viewer')).toEqual({ scope: 'app', needs: 'viewer' });
  expect(readAccess('admin')).toEqual({ scope: 'admin', needs: 'admin' });
});

const accesses = (Object.keys(ranks) as ScopeName[]).flatMap((scope) =>
  ranks[scope].map((rank) => (rank === scope ? scope : `${scope}:${rank}`) as Access),
);

test('ranks go as far up in their scope as they stand in the list', () => {
  for (const scope of Object.keys(ranks) as ScopeName[]) {
    for (const [at, has] of ranks[scope].entries()) {
      for (const [below, needs] of ranks[scope].entries()) expect(isRankAtLeast(scope, has, needs)).toBe(at >= below);
    }
  }
});

test('whoever may call with a Read-Only token may with Full Access, and nobody changes anything with it', () => {
  for (const access of accesses) {
    for (const caller of callers) {
      const read = { access, effect: 'read' };
      if (mayCall(read, caller, 'viewer')) expect(mayCall(read, caller, 'all')).toBe(true);
      if (needsCredential({ access })) expect(mayCall({ access, effect: 'change' }, caller, 'viewer')).toBe(false);
    }
  }
});

test('administrators are operators and read every subscription, and admins of an organization manage its apps', () => {
  const may = (access: Access, caller: (typeof callers)[number]) =>
    mayCall({ access, effect: 'change' }, caller, 'all');
  expect(['operator', 'subscription:reader', 'admin'].map((access) => may(access as Access, 'administrator'))).toEqual(
    Array(3).fill(true),
  );
  expect([may('app:manager', 'org:admin'), may('app:tester', 'org:collaborator')]).toEqual([true, false]);
  expect([may('app:tester', 'administrator'), may('org:member', 'administrator')]).toEqual([false, false]);
  expect([impliedRank('org:admin', 'app'), impliedRank('admin', 'app')]).toEqual(['manager', undefined]);
});

test('a Full Access token needs a manager, a Read-Only one a developer, and no body says that the former is meant', () => {
  const may = (caller: (typeof callers)[number], body?: object) => mayCall(appApiTokens_create, caller, 'all', body);
  for (const body of [{}, { scope: ['all'] }, { scope: ['viewer', 'all'] }]) {
    expect([body, may('app:developer', body), may('app:manager', body)]).toEqual([body, false, true]);
  }
  expect(may('app:developer', { scope: ['viewer'] })).toBe(true);
  expect(may('app:viewer', { scope: ['viewer'] })).toBe(false);
  expect(may('app:developer')).toBe(true);
});

test('an app is given away by people only', () => {
  expect(apps_transferOwnership.only).toBe('person');
});
