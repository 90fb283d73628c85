import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '../index.ts';
import { needsCredential } from '../permissions.ts';
import { describeToken, getTokenPermission, tokenPermissions, withReads } from './token-permissions.ts';

const guarded = endpoints.filter((spec) => needsCredential(spec) && !spec.surface?.takesOwnToken);

test('every operation has a permission, and every permission an operation', () => {
  const needed = new Set(guarded.map(getTokenPermission));
  expect([...needed].filter((permission) => !tokenPermissions.includes(permission))).toEqual([]);
  expect(tokenPermissions.filter((permission) => !needed.has(permission))).toEqual([]);
});

test('reading operations need a permission to read, others never', () => {
  for (const spec of guarded) {
    expect([spec.id, getTokenPermission(spec).endsWith(':read')]).toEqual([spec.id, spec.effect === 'read']);
  }
});

test('operations of administrators need a permission for the administration', () => {
  for (const spec of guarded.filter(({ access }) => access === 'admin')) {
    expect([spec.id, getTokenPermission(spec).split(':')[0]]).toEqual([spec.id, 'admin']);
  }
});

test('distributing needs another permission than uploading', () => {
  const needs = (id: string) => guarded.filter((spec) => spec.id === id).map(getTokenPermission);
  expect(needs('releases_addDistributionGroup')).toEqual(['releases:distribute']);
  expect(needs('releases_update')).toEqual(['releases:distribute']);
  expect(needs('releases_addStore')).toEqual(['releases:distribute']);
  expect(needs('releaseUploads_create')).toEqual(['releases:write']);
  expect(needs('releases_deleteMany')).toEqual(['releases:delete']);
});

test('permissions include reading in their areas, and nothing else', () => {
  fc.assert(
    fc.property(fc.subarray([...tokenPermissions]), (permissions) => {
      const reads = permissions.map((permission) => `${permission.split(':')[0]}:read`);
      expect(new Set(withReads(permissions))).toEqual(new Set([...permissions, ...reads]));
    }),
  );
});

test('a sentence says what a token can do', () => {
  expect(describeToken({ permissions: [] })).toBe('This token can do nothing yet.');
  expect(
    describeToken({
      permissions: ['releases:write', 'releases:distribute', 'symbols:read'],
      apps: ['ada/compass'],
      networks: ['10.0.0.0/8', '203.0.113.7'],
    }),
  ).toBe(
    'This token can read, change and distribute releases; read symbols, of ada/compass only, from 10.0.0.0/8 or 203.0.113.7 only.',
  );
});
