const org = '/orgs/:org';
/** `:owners` is `orgs` or `users`, the type of the app's owner. */
const app = '/:owners/:owner/apps/:app';
const health = '/health';
const subscription = `${health}/subscriptions/:subscription` as const;
const admin = '/admin';
const settings = '/settings';

/** Paths of all pages: the single source for routes and links. */
export const paths = {
  home: '/',
  newApp: '/create/app',
  orgs: '/orgs',
  newOrg: '/create/org',
  cliLogin: '/cli-login',
  /** Opened by SDKs in apps; older SDKs use the second path. */
  updateSetup: '/install/apps/:secret/private-update-setup',
  earlierUpdateSetup: '/install/apps/:secret/update-setup',
  /** Opened by devices after their registration. */
  deviceRegistered: '/install/register-device',

  setUp: '/setup',
  signIn: '/sign-in',
  linkAccount: '/link-account',
  signUp: '/sign-up',
  consent: '/consent',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  invitation: '/invitations/:kind/:token',

  org,
  orgApps: `${org}/apps`,
  orgPeople: `${org}/people`,
  orgInvitations: `${org}/invitations`,
  orgServiceAccounts: `${org}/service-accounts`,
  orgServiceAccount: `${org}/service-accounts/:account`,
  orgTeams: `${org}/teams`,
  orgTeam: `${org}/teams/:team`,
  orgGroups: `${org}/groups`,
  orgGroup: `${org}/groups/:group`,
  orgSubscriptions: `${org}/subscriptions`,
  orgRunners: `${org}/runners`,
  orgUsage: `${org}/usage`,
  orgWebhooks: `${org}/webhooks`,
  orgWebhook: `${org}/webhooks/:webhook`,
  orgAudit: `${org}/audit`,
  orgSettings: `${org}/settings`,
  orgUnknown: `${org}/*`,

  app,
  appAnalytics: `${app}/analytics`,
  appEvents: `${app}/analytics/events`,
  appEvent: `${app}/analytics/events/:event`,
  appExplore: `${app}/analytics/explore`,
  appFunnel: `${app}/analytics/funnel`,
  appRetention: `${app}/analytics/retention`,
  appPaths: `${app}/analytics/paths`,
  appAudiences: `${app}/analytics/audiences`,
  appLogFlow: `${app}/analytics/log-flow`,
  appLogSearch: `${app}/analytics/log-flow/search`,
  appAnalyticsSetUp: `${app}/analytics/set-up`,
  appCrashes: `${app}/crashes`,
  appCrash: `${app}/crashes/:issue`,
  appFeedback: `${app}/feedback`,
  appFeedbackMessage: `${app}/feedback/:feedback`,
  appReportSearch: `${app}/crash-reports`,
  appTests: `${app}/test/runs`,
  appTestDevices: `${app}/test/devices`,
  /** Clients print links to it. */
  appTestRun: `${app}/test/series/:series/runs/:run`,
  appTestComparison: `${app}/test/series/:series/runs/:run/compare`,
  appReleases: `${app}/releases`,
  appRelease: `${app}/releases/:release`,
  appBranches: `${app}/builds`,
  appBranch: `${app}/builds/branches/:branch`,
  appConfiguration: `${app}/builds/branches/:branch/configuration`,
  appBuilds: `${app}/builds/history`,
  appBuild: `${app}/builds/:build`,
  /** appcenter-cli prints links to it, with `users` even for organizations. */
  printedBuild: `${app}/build/branches/:branch/builds/:build`,
  appRunners: `${app}/builds/runners`,
  appBuildSettings: `${app}/builds/settings`,
  appRepository: `${app}/builds/repository`,
  appUsers: `${app}/users`,
  appGroups: `${app}/groups`,
  appGroup: `${app}/groups/:group`,
  appStores: `${app}/stores`,
  appDeployments: `${app}/codepush`,
  appDeployment: `${app}/codepush/:deployment`,
  appIngestion: `${app}/ingestion`,
  appSymbols: `${app}/symbols`,
  appExports: `${app}/exports`,
  appTracker: `${app}/bug-tracker`,
  appDataRequests: `${app}/data-requests`,
  appAlerts: `${app}/alerts`,
  appUsage: `${app}/usage`,
  appNotifications: `${app}/notifications`,
  appWebhooks: `${app}/webhooks`,
  appWebhook: `${app}/webhooks/:webhook`,
  appTokens: `${app}/tokens`,
  appAudit: `${app}/audit`,
  appSettings: `${app}/settings`,
  appUnknown: `${app}/*`,

  health,
  healthPublish: `${health}/publish`,
  healthImport: `${health}/import`,
  healthEvent: `${health}/events/:trackingId`,
  healthSubscriptions: `${health}/subscriptions`,
  healthSubscription: subscription,
  healthWebhook: `${subscription}/webhooks/:webhook`,
  healthUnknown: `${health}/*`,

  admin,
  adminUsers: `${admin}/users`,
  adminUserTokens: `${admin}/users/:user/tokens`,
  adminProviders: `${admin}/identity-providers`,
  adminClients: `${admin}/clients`,
  adminOperators: `${admin}/health-operators`,
  adminSubscriptions: `${admin}/subscriptions`,
  adminSubscription: `${admin}/subscriptions/:subscription`,
  adminJobs: `${admin}/jobs`,
  adminMails: `${admin}/mails`,
  adminQuotas: `${admin}/quotas`,
  adminRunners: `${admin}/runners`,
  adminServer: `${admin}/server`,
  adminAudit: `${admin}/audit`,
  adminUnknown: `${admin}/*`,

  profile: `${settings}/profile`,
  sessions: `${settings}/sessions`,
  devices: `${settings}/devices`,
  tokens: `${settings}/tokens`,
  connections: `${settings}/connections`,
  notifications: `${settings}/notifications`,
  yourData: `${settings}/data`,
  settingsUnknown: `${settings}/*`,
} as const;

export type PageName = keyof typeof paths;

/** Served by the server rather than the console. */
export const API_REFERENCE = '/docs';
export const INSTALL_PAGES = '/install/';

type PathParam<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParam<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type PathParams<Name extends PageName> = Record<PathParam<(typeof paths)[Name]>, string>;
type Query = Record<string, string | undefined>;

/** Appends a query, without empty values. */
export function withQuery(path: string, query: Query): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return present.length > 0 ? `${path}?${new URLSearchParams(present)}` : path;
}

/** Path of a page, with escaped parameters. */
export const pathTo = <Name extends PageName>(name: Name, params: PathParams<Name>, query: Query = {}): string =>
  withQuery(fill(paths[name], params), query);

/** A path with its parameters filled in. */
export const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

interface OwnedApp {
  name: string;
  owner: { name: string; type: string };
}

export type AppParams = PathParams<'app'>;

export const appParams = ({ name, owner }: OwnedApp): AppParams => ({
  owners: owner.type === 'org' ? 'orgs' : 'users',
  owner: owner.name,
  app: name,
});

/** Install page of a group or release, served by the server. */
export const installPath = (app: OwnedApp, group?: string, release?: number): string =>
  fill(
    `/install${paths.app}${group === undefined ? '' : '/distribution_groups/:group'}${release === undefined ? '' : '/releases/:release'}`,
    { ...appParams(app), group: group ?? '', release: String(release) },
  );

export const appPath = (app: OwnedApp): string => pathTo('app', appParams(app));
