const org = '/orgs/:org';
/** `:owners` is `orgs` or `users`: whoever owns the app. */
const app = '/:owners/:owner/apps/:app';
const health = '/health';
const subscription = `${health}/subscriptions/:subscription` as const;
const admin = '/admin';
const settings = '/settings';

/** The address of every page. Routes are made from it, and so are links: no address stands anywhere else. */
export const paths = {
  home: '/',
  newApp: '/create/app',
  orgs: '/orgs',
  newOrg: '/create/org',
  cliLogin: '/cli-login',
  /** SDKs inside apps open these; the second is that of older ones. */
  updateSetup: '/install/apps/:secret/private-update-setup',
  earlierUpdateSetup: '/install/apps/:secret/update-setup',
  /** Devices open it after they have registered themselves. */
  deviceRegistered: '/install/register-device',

  setUp: '/setup',
  signIn: '/sign-in',
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
  /** appcenter-cli prints links to it, with `users` also for an organization. */
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

  health,
  healthPublish: `${health}/publish`,
  healthImport: `${health}/import`,
  healthEvent: `${health}/events/:trackingId`,
  healthSubscriptions: `${health}/subscriptions`,
  healthSubscription: subscription,
  healthWebhook: `${subscription}/webhooks/:webhook`,

  admin,
  adminUsers: `${admin}/users`,
  adminUserTokens: `${admin}/users/:user/tokens`,
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

  profile: `${settings}/profile`,
  sessions: `${settings}/sessions`,
  devices: `${settings}/devices`,
  tokens: `${settings}/tokens`,
  connections: `${settings}/connections`,
  notifications: `${settings}/notifications`,
  yourData: `${settings}/data`,
} as const;

export type PageName = keyof typeof paths;

/** Answered by the server itself: no route of the console. */
export const API_REFERENCE = '/docs';
export const INSTALL_PAGES = '/install/';

type ParamOf<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type ParamsOf<Name extends PageName> = Record<ParamOf<(typeof paths)[Name]>, string>;
type Query = Record<string, string | undefined>;

/** What stands after the path; what is empty is left out. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The address of a page about something; names may hold anything, and are escaped. */
export const pathTo = <Name extends PageName>(name: Name, params: ParamsOf<Name>, query: Query = {}): string =>
  withQuery(fill(paths[name], params), query);

/** An address with names in the place of its parameters. */
export const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

interface OwnedApp {
  name: string;
  owner: { name: string; type: string };
}

export type AppParams = ParamsOf<'app'>;

export const appParams = ({ name, owner }: OwnedApp): AppParams => ({
  owners: owner.type === 'org' ? 'orgs' : 'users',
  owner: owner.name,
  app: name,
});

/** Where testers install what a group was given, or one release of it: pages of the server itself. */
export const installPath = (app: OwnedApp, group?: string, release?: number): string =>
  fill(
    `/install${paths.app}${group === undefined ? '' : '/distribution_groups/:group'}${release === undefined ? '' : '/releases/:release'}`,
    { ...appParams(app), group: group ?? '', release: String(release) },
  );

export const appPath = (app: OwnedApp): string => pathTo('app', appParams(app));
