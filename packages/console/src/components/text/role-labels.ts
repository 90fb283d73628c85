import type { GrantablePermission, OrgRole } from '@mooring/contract';

/** Permissions and roles, explained. */
export const permissionLabels: Record<GrantablePermission, string> = {
  manager: 'Manager: everything, including settings, members and tokens',
  developer: 'Developer: builds, releases, tests',
  viewer: 'Viewer: read only',
};
export const roleLabels: Record<OrgRole, string> = {
  admin: 'Admin: manages the organization and all its apps',
  collaborator: 'Collaborator: creates apps',
  member: 'Member: sees the organization and apps shared with them',
};

export const capitalize = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1);

/** A permission or role in read-only lists. */
export const formatRole = (value: string | undefined): string => (value ? capitalize(value) : '—');
