/** What somebody may do to an app, weakest first. */
export const appPermissions = ['tester', 'viewer', 'developer', 'manager'] as const;
export type AppPermission = (typeof appPermissions)[number];

/** What a user or a team can be given on an app. */
export const givenPermissions = ['manager', 'developer', 'viewer'] as const;
export type GivenPermission = (typeof givenPermissions)[number];

/** What somebody is in an organization, weakest first. An admin is manager of all its apps. */
export const orgRoles = ['member', 'collaborator', 'admin'] as const;
export type OrgRole = (typeof orgRoles)[number];

const ranked =
  <T>(order: readonly T[]) =>
  (has: T, needs: T): boolean =>
    order.indexOf(has) >= order.indexOf(needs);

export const atLeast = ranked<AppPermission>(appPermissions);
export const isRoleAtLeast = ranked<OrgRole>(orgRoles);

/** The weaker of two permissions: what a read-only token leaves of its user's. */
export const atMost = (has: AppPermission, ceiling: AppPermission): AppPermission =>
  atLeast(has, ceiling) ? ceiling : has;

/** Everybody who may be told apart by what they may do, for the walk over operations and for the document. */
export const callers = [
  'anybody',
  'user',
  'administrator',
  'operator',
  'subscription:reader',
  ...orgRoles.map((role) => `org:${role}` as const),
  ...appPermissions.map((permission) => `app:${permission}` as const),
] as const;
export type Caller = (typeof callers)[number];

/** Whether a caller may call an operation, on the organization, app or subscription in its path, with a token of this reach. */
export function mayCall(spec: { access: string; effect: string }, caller: Caller, reach: 'all' | 'viewer'): boolean {
  if (spec.access === 'public') return true;
  if (caller === 'anybody') return false;
  if (reach === 'viewer' && spec.effect !== 'read') return false;
  if (spec.access === 'user') return true;
  if (spec.access === 'admin') return caller === 'administrator';
  if (spec.access === 'operator') return caller === 'administrator' || caller === 'operator';
  if (spec.access === 'subscription:reader') return caller === 'administrator' || caller === 'subscription:reader';
  const [where, needs] = spec.access.split(':');
  const [is, has] = caller.split(':');
  if (where === 'org') return is === 'org' && isRoleAtLeast(has as OrgRole, needs as OrgRole);
  if (is === 'org') return has === 'admin' && (reach === 'all' || atLeast('viewer', needs as AppPermission));
  return (
    is === 'app' &&
    atLeast(reach === 'all' ? (has as AppPermission) : atMost(has as AppPermission, 'viewer'), needs as AppPermission)
  );
}
