import type { GivenPermission, OrgRole } from '@mooring/contract';

/** What each permission and role means, in plain words. */
export const permissionWords: Record<GivenPermission, string> = {
  manager: 'Manager: settings, users and tokens too',
  developer: 'Developer: builds, releases, tests',
  viewer: 'Viewer: can read, cannot change',
};
export const roleWords: Record<OrgRole, string> = {
  admin: 'Admin: manages everything, all apps too',
  collaborator: 'Collaborator: creates apps',
  member: 'Member: sees the organization',
};

export const titleOf = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1);

/** A permission or role as lists show it where it cannot be changed. */
export const inWords = (value: string | undefined): string => (value ? titleOf(value) : '—');
