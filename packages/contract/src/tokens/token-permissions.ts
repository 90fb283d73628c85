import type { EndpointSpec } from '../endpoint/endpoint.ts';
import { readAccess, type ScopeName } from '../permissions.ts';

/** Parts of the API that a token can be limited to, with the words of the console. */
export const tokenAreas = {
  account: 'your account',
  admin: 'the administration of this server',
  analytics: 'analytics',
  apps: 'apps and their settings',
  builds: 'builds',
  codepush: 'CodePush',
  crashes: 'crashes',
  exports: 'exports',
  health: 'service health',
  org: 'organizations',
  releases: 'releases',
  search: 'the search',
  symbols: 'symbols',
  tests: 'tests',
  webhooks: 'webhooks',
} as const;
export type TokenArea = keyof typeof tokenAreas;

/** `distribute` exists for releases only. */
export const tokenActions = ['read', 'write', 'delete', 'distribute'] as const;
export type TokenAction = (typeof tokenActions)[number];

/** Each includes reading in its area. */
export type TokenPermission = `${TokenArea}:${TokenAction}`;

const listActions = (area: TokenArea): readonly TokenAction[] => {
  if (area === 'search') return ['read'];
  return area === 'releases' ? tokenActions : ['read', 'write', 'delete'];
};

/** All permissions that a token can have. */
export const tokenPermissions: readonly TokenPermission[] = (Object.keys(tokenAreas) as TokenArea[]).flatMap((area) =>
  listActions(area).map((action): TokenPermission => `${area}:${action}`),
);

/** The area of each tag; operations of some tags belong to the area of their scope. */
const areaByTag: Readonly<Record<string, TokenArea | 'scope'>> = {
  account: 'account',
  administration: 'admin',
  alerts: 'analytics',
  analytics: 'analytics',
  'api tokens': 'scope',
  apps: 'apps',
  avatars: 'apps',
  builds: 'builds',
  codepush: 'codepush',
  crashes: 'crashes',
  'data requests': 'scope',
  devices: 'releases',
  'distribution groups': 'releases',
  exports: 'exports',
  feedback: 'crashes',
  feeds: 'health',
  'health events': 'health',
  'in-app updates': 'releases',
  ingestion: 'analytics',
  'install pages': 'releases',
  invitations: 'scope',
  notifications: 'account',
  organizations: 'org',
  provisioning: 'org',
  releases: 'releases',
  runners: 'builds',
  search: 'search',
  sentry: 'apps',
  server: 'account',
  'service accounts': 'org',
  sessions: 'account',
  'signing in': 'scope',
  stores: 'releases',
  subscriptions: 'health',
  symbols: 'symbols',
  teams: 'org',
  tests: 'tests',
  trackers: 'crashes',
  uploads: 'releases',
  usage: 'scope',
  webhooks: 'webhooks',
};

const areaByScope: Partial<Record<ScopeName, TokenArea>> = { app: 'apps', org: 'org', subscription: 'health' };

type Declared = Pick<EndpointSpec, 'access' | 'effect' | 'method' | 'tag' | 'tokenAction'>;

function getArea({ access, tag }: Declared): TokenArea {
  const { scope } = readAccess(access);
  if (scope === 'admin') return 'admin';
  const area = areaByTag[tag];
  if (!area) throw new Error(`The tag ${tag} has no area for tokens.`);
  return area === 'scope' ? (areaByScope[scope] ?? 'account') : area;
}

function getAction({ effect, method, tokenAction }: Declared): TokenAction {
  if (effect === 'read') return 'read';
  return tokenAction ?? (method === 'DELETE' ? 'delete' : 'write');
}

/** The permission that a limited token needs for an operation. */
export const getTokenPermission = (spec: Declared): TokenPermission => `${getArea(spec)}:${getAction(spec)}`;

export const splitPermission = (permission: TokenPermission) => permission.split(':') as [TokenArea, TokenAction];

/** These permissions, and reading in their areas. */
export const withReads = (permissions: readonly TokenPermission[]): Set<TokenPermission> =>
  new Set(permissions.flatMap((each): TokenPermission[] => [each, `${splitPermission(each)[0]}:read`]));

const actionLabels: Readonly<Record<TokenAction, string>> = {
  read: 'read',
  write: 'change',
  delete: 'delete',
  distribute: 'distribute',
};

export interface DescribedToken {
  permissions: readonly TokenPermission[];
  apps?: readonly string[];
  deployments?: readonly string[];
  networks?: readonly string[];
}

const list = (items: readonly string[], last = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;

/** Describes in one sentence which operations a token allows. */
export function describeToken({ permissions, apps = [], deployments = [], networks = [] }: DescribedToken): string {
  const byArea = Map.groupBy(withReads(permissions), (each) => splitPermission(each)[0]);
  const parts = [...byArea].map(([area, mine]) => {
    const actions = tokenActions.filter((action) => mine.includes(`${area}:${action}`));
    return `${list(actions.map((action) => actionLabels[action]))} ${tokenAreas[area]}`;
  });
  const where = [
    ...(apps.length > 0 ? [`of ${list(apps)} only`] : []),
    ...(deployments.length > 0 ? [`in the CodePush deployments ${list(deployments)} only`] : []),
    ...(networks.length > 0 ? [`from ${list(networks, 'or')} only`] : []),
  ];
  return `This token can ${[parts.length > 0 ? parts.join('; ') : 'do nothing yet', ...where].join(', ')}.`;
}
