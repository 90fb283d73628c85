/** What somebody may do to an app, weakest first. */
export const appPermissions = ['tester', 'viewer', 'developer', 'manager'] as const;
export type AppPermission = (typeof appPermissions)[number];

/** What a user or a team can be given on an app. */
export const givenPermissions = ['manager', 'developer', 'viewer'] as const;
export type GivenPermission = (typeof givenPermissions)[number];

/** What somebody is in an organization, weakest first. */
export const orgRoles = ['member', 'collaborator', 'admin'] as const;
export type OrgRole = (typeof orgRoles)[number];

/**
 * Every scope, with what somebody can be there, weakest first: everybody, any person, an administrator of the server, an
 * operator of the health events; whoever may read the subscription, or has a role in the organization or on the app, that
 * the request names; whoever knows the secret, or the key of a deployment, that is built into an app; whoever may have what
 * a distribution group was given, which is everybody for a public one; a runner, and whoever does one of its jobs. The domain that owns a scope says how it is found.
 */
export const ranks = {
  public: ['public'],
  user: ['user'],
  admin: ['admin'],
  operator: ['operator'],
  subscription: ['reader'],
  org: orgRoles,
  app: appPermissions,
  appSecret: ['appSecret'],
  deploymentKey: ['deploymentKey'],
  groupReleases: ['groupReleases'],
  runner: ['runner'],
  runnerJob: ['runnerJob'],
} as const satisfies Record<string, readonly string[]>;

export type ScopeName = keyof typeof ranks;
export type Rank<S extends ScopeName = ScopeName> = (typeof ranks)[S][number];

/** A scope of one rank that is called as the scope is written by that name alone. */
type Written<S extends string, R extends string> = R extends S ? S : `${S}:${R}`;

/** Who may call: at least this rank in this scope. */
export type Access = { [S in ScopeName]: Written<S, Rank<S>> }[ScopeName];

export function readAccess(access: Access): { scope: ScopeName; needs: Rank } {
  const [scope, needs = scope] = access.split(':') as [ScopeName, Rank?];
  return { scope, needs: needs as Rank };
}

/** Scopes that take whoever asks: all that counts is what the request itself names. */
const open: readonly ScopeName[] = ['public', 'appSecret', 'deploymentKey', 'groupReleases', 'runner', 'runnerJob'];

/** Whether a caller must show who they are. */
export const needsCredential = ({ access }: { access: Access }): boolean => !open.includes(readAccess(access).scope);

export function isRankAtLeast(scope: ScopeName, has: Rank, needs: Rank): boolean {
  const order: readonly Rank[] = ranks[scope];
  return order.indexOf(has) >= order.indexOf(needs);
}

export const atLeast = (has: AppPermission, needs: AppPermission): boolean => isRankAtLeast('app', has, needs);
export const isRoleAtLeast = (has: OrgRole, needs: OrgRole): boolean => isRankAtLeast('org', has, needs);

/** What somebody has in other scopes by what they are in one. */
export const implied = {
  admin: ['operator', 'subscription:reader'],
  'org:admin': ['app:manager'],
} as const satisfies Partial<Record<Access, readonly Access[]>>;

const everythingOf = (access: Access): readonly Access[] => [access, ...((implied as Implied)[access] ?? [])];
type Implied = Partial<Record<Access, readonly Access[]>>;

/** What somebody is in a scope by what they are elsewhere. */
export function impliedRank(by: keyof typeof implied, scope: ScopeName): Rank | undefined {
  const found = implied[by].map(readAccess).find((held) => held.scope === scope);
  return found?.needs;
}

/** What a Read-Only token leaves at most, beside changing nothing. */
const readOnlyCeiling: Partial<Record<ScopeName, Rank>> = { app: 'viewer' };

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

const accessOf = (caller: Caller): Access =>
  caller === 'anybody' ? 'public' : caller === 'administrator' ? 'admin' : caller;

/** A higher rank that an operation needs for some of what it takes; it is looked at once the body was read. */
export interface Raise {
  to: Rank;
  /** A field that has this value, or that has it among others; absent it counts as if it had. */
  when: { field: string; has: string };
  /** Such bodies, in words. */
  what: string;
  refusal: string;
}

export function isRaised({ when: { field, has } }: Raise, body: object): boolean {
  const value = (body as Record<string, unknown>)[field] ?? has;
  return Array.isArray(value) ? value.includes(has) : value === has;
}

interface Asked {
  access: Access;
  effect: string;
  raises?: readonly Raise[];
}

/**
 * Whether a caller may call an operation, on the organization, app or subscription that the request names, with a token of
 * this reach, and, if it is given, with this body.
 */
export function mayCall(spec: Asked, caller: Caller, reach: 'all' | 'viewer', body?: object): boolean {
  const { scope, needs } = readAccess(spec.access);
  if (!needsCredential(spec)) return true;
  if (caller === 'anybody') return false;
  if (reach === 'viewer' && spec.effect !== 'read') return false;
  if (scope === 'user') return true;
  const ceiling = reach === 'viewer' ? readOnlyCeiling[scope] : undefined;
  const raised = body && spec.raises?.find((raise) => isRaised(raise, body));
  return everythingOf(accessOf(caller))
    .map(readAccess)
    .filter((held) => held.scope === scope)
    .map((held) => (ceiling && isRankAtLeast(scope, held.needs, ceiling) ? ceiling : held.needs))
    .some((has) => isRankAtLeast(scope, has, raised ? raised.to : needs));
}
