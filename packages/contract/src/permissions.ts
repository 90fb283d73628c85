/** What somebody may do to an app, weakest first. */
export const appPermissions = ['tester', 'viewer', 'developer', 'manager'] as const;
export type AppPermission = (typeof appPermissions)[number];

export const atLeast = (has: AppPermission, needs: AppPermission): boolean =>
  appPermissions.indexOf(has) >= appPermissions.indexOf(needs);

/** The weaker of two permissions: what a read-only token leaves of its user's. */
export const atMost = (has: AppPermission, ceiling: AppPermission): AppPermission =>
  atLeast(has, ceiling) ? ceiling : has;
