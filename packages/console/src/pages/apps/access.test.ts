import { expect, test } from 'vitest';
import type { AppAccess } from '../../api/apps.ts';
import { canChange, directRole, formatAccess } from './access.ts';

const access = (via: AppAccess['via'], is_owner = false): AppAccess => ({
  id: '1',
  name: 'ada',
  display_name: 'Ada',
  email: 'ada@example.com',
  permission: via[0]?.permission ?? 'tester',
  is_owner,
  via,
});
const direct = { kind: 'direct', permission: 'viewer' } as const;
const team = { kind: 'team', permission: 'developer', name: 'pilots', display_name: 'Pilots' } as const;
const org = { kind: 'organization', permission: 'manager', name: 'lighthouse' } as const;

test.each([
  [access([direct]), 'Direct', true],
  [access([team]), 'Team Pilots', false],
  [access([org]), 'Organization admin', false],
  [access([org, team, direct]), 'Organization admin, Team Pilots (Developer), Direct (Viewer)', true],
  [access([{ kind: 'direct', permission: 'manager' }], true), 'Owner', false],
])('describes access %# as “%s”; editable: %s', (who, label, changes) => {
  expect(formatAccess(who)).toBe(label);
  expect(canChange(who)).toBe(changes);
});

test('edits the direct role, not the highest one', () => {
  expect(directRole(access([org, direct]))).toBe('viewer');
  expect(directRole(access([team]))).toBeUndefined();
});
