/** Permissions on an app, weakest first. */
export const appPermissions = ['tester', 'viewer', 'developer', 'manager'] as const;
export type AppPermission = (typeof appPermissions)[number];

/** Permissions on an app that users and teams can have. */
export const grantablePermissions = ['manager', 'developer', 'viewer'] as const;
export type GrantablePermission = (typeof grantablePermissions)[number];

/** Roles in an organization, weakest first. */
export const orgRoles = ['member', 'collaborator', 'admin'] as const;
export type OrgRole = (typeof orgRoles)[number];

/**
 * All scopes with their ranks, weakest first. `subscription`, `org` and `app` are those that the request names.
 * `ownerApps` is an owner with at least one app that the caller may develop. `appSecret`, `deploymentKey` and `sdkKey` are
 * secrets built into apps. `groupReleases` covers readers of the releases of a distribution group, which is everyone for
 * a public group. `directory` is an organization, for its SCIM token. `runnerJob` is a runner that works on the job. The domain
 * that owns a scope defines how to look up ranks.
 */
export const ranks = {
  public: ['public'],
  user: ['user'],
  admin: ['admin'],
  operator: ['operator'],
  subscription: ['reader'],
  org: orgRoles,
  app: appPermissions,
  ownerApps: ['ownerApps'],
  appSecret: ['appSecret'],
  deploymentKey: ['deploymentKey'],
  sdkKey: ['sdkKey'],
  groupReleases: ['groupReleases'],
  directory: ['directory'],
  runner: ['runner'],
  runnerJob: ['runnerJob'],
} as const satisfies Record<string, readonly string[]>;

export type ScopeName = keyof typeof ranks;
export type Rank<S extends ScopeName = ScopeName> = (typeof ranks)[S][number];

/** A scope whose only rank has the same name is written as that name alone. */
type Written<S extends string, R extends string> = R extends S ? S : `${S}:${R}`;

/** The minimum rank of a caller, with its scope. */
export type Access = { [S in ScopeName]: Written<S, Rank<S>> }[ScopeName];

export function readAccess(access: Access): { scope: ScopeName; needs: Rank } {
  const [scope, needs = scope] = access.split(':') as [ScopeName, Rank?];
  return { scope, needs: needs as Rank };
}

/** Scopes without a credential: only the content of the request counts. */
const open: readonly ScopeName[] = [
  'public',
  'appSecret',
  'deploymentKey',
  'sdkKey',
  'groupReleases',
  'runner',
  'runnerJob',
];

/** Whether a caller must authenticate. */
export const needsCredential = ({ access }: { access: Access }): boolean => !open.includes(readAccess(access).scope);

export function isRankAtLeast(scope: ScopeName, has: Rank, needs: Rank): boolean {
  const order: readonly Rank[] = ranks[scope];
  return order.indexOf(has) >= order.indexOf(needs);
}

export const atLeast = (has: AppPermission, needs: AppPermission): boolean => isRankAtLeast('app', has, needs);
export const isRoleAtLeast = (has: OrgRole, needs: OrgRole): boolean => isRankAtLeast('org', has, needs);

/** Ranks in other scopes that a rank implies. */
export const implied = {
  admin: ['operator', 'subscription:reader'],
  'org:admin': ['app:manager', 'ownerApps'],
  'app:manager': ['ownerApps'],
  'app:developer': ['ownerApps'],
} as const satisfies Partial<Record<Access, readonly Access[]>>;

const listImplied = (access: Access): readonly Access[] => [access, ...((implied as Implied)[access] ?? [])];
type Implied = Partial<Record<Access, readonly Access[]>>;

/** The rank in a scope that follows from a rank in another one. */
export function impliedRank(by: keyof typeof implied, scope: ScopeName): Rank | undefined {
  const found = implied[by].map(readAccess).find((held) => held.scope === scope);
  return found?.needs;
}

/** The highest ranks of a Read-Only token, which also can't change anything. */
const readOnlyCeiling: Partial<Record<ScopeName, Rank>> = { app: 'viewer' };

/** The weaker of two permissions, such as a user's permission and the limit of a Read-Only token. */
export const atMost = (has: AppPermission, ceiling: AppPermission): AppPermission =>
  atLeast(has, ceiling) ? ceiling : has;

/** All kinds of callers with different rights, for the access test and for docs/permissions.md. */
export const callers = [
  'anybody',
  'user',
  'administrator',
  'operator',
  'subscription:reader',
  'directory',
  ...orgRoles.map((role) => `org:${role}` as const),
  ...appPermissions.map((permission) => `app:${permission}` as const),
] as const;
export type Caller = (typeof callers)[number];

const toAccess = (caller: Caller): Access =>
  caller === 'anybody' ? 'public' : caller === 'administrator' ? 'admin' : caller;

/** A higher rank that an operation requires for some request bodies. Checked after the body is read. */
export interface Raise {
  to: Rank;
  /** Applies if the field has this value, contains it, or is absent. */
  when: { field: string; has: string };
  /** Describes these bodies. */
  what: string;
  refusal: string;
}

export function isRaised({ when: { field, has } }: Raise, body: object): boolean {
  const value = (body as Record<string, unknown>)[field] ?? has;
  return Array.isArray(value) ? value.includes(has) : value === has;
}

interface CallTarget {
  access: Access;
  effect: string;
  raises?: readonly Raise[];
}

/**
 * Whether a caller may call an operation on the organization, app or subscription in the request, with a token of this
 * scope and, if provided, this body.
 */
export function mayCall(spec: CallTarget, caller: Caller, tokenScope: 'all' | 'viewer', body?: object): boolean {
  const { scope, needs } = readAccess(spec.access);
  if (!needsCredential(spec)) return true;
  if (caller === 'anybody') return false;
  if (tokenScope === 'viewer' && spec.effect !== 'read') return false;
  if (scope === 'user') return true;
  const ceiling = tokenScope === 'viewer' ? readOnlyCeiling[scope] : undefined;
  const raised = body && spec.raises?.find((raise) => isRaised(raise, body));
  return listImplied(toAccess(caller))
    .map(readAccess)
    .filter((held) => held.scope === scope)
    .map((held) => (ceiling && isRankAtLeast(scope, held.needs, ceiling) ? ceiling : held.needs))
    .some((has) => isRankAtLeast(scope, has, raised ? raised.to : needs));
}
