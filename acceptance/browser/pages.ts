import { type AcceptanceWorld, subscription } from '../harness/world.ts';

const app = '/orgs/lighthouse/apps/compass';
const org = '/orgs/lighthouse';

/** Every page of the console, by its address in the world of `harness/world.ts`, with the heading that shows it is there. */
export const frontPages: [path: string, heading: string][] = [
  ['/setup', 'This server is set up already'],
  ['/sign-in', 'Sign in'],
  ['/sign-up', 'Create an account'],
  ['/forgot-password', 'Forgotten password'],
  ['/reset-password', 'This link is incomplete'],
  ['/reset-password#token=none', 'Set a new password'],
  ['/invitations/org/none', 'This invitation is not open'],
  ['/no/such/page', 'Page not found'],
];

export const homePages: [path: string, heading: string][] = [
  ['/', 'Apps'],
  ['/create/app', 'New app'],
  ['/orgs', 'Organizations'],
  ['/create/org', 'New organization'],
  ['/cli-login?hostname=workstation', 'Sign in to a command line'],
  ['/orgs/nowhere', 'It does not exist, or you may not see it'],
  ['/settings/profile', 'Profile'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/connections', 'Connections'],
];

export const appPages: [path: string, heading: string][] = [
  ['/users/ada/apps/compass', 'Overview'],
  [app, 'Overview'],
  [`${app}/analytics`, 'Analytics'],
  [`${app}/analytics/events`, 'Analytics'],
  [`${app}/analytics/events/checkout`, 'checkout'],
  [`${app}/analytics/explore`, 'Analytics'],
  [`${app}/analytics/funnel`, 'Analytics'],
  [`${app}/analytics/retention`, 'Analytics'],
  [`${app}/analytics/audiences`, 'Analytics'],
  [`${app}/analytics/log-flow`, 'Analytics'],
  [`${app}/analytics/set-up`, 'Analytics'],
  [`${app}/users`, 'Members'],
  [`${app}/groups`, 'Tester groups'],
  [`${app}/groups/Shore%20crew`, 'Shore crew'],
  ['/users/ada/apps/compass/codepush', 'CodePush'],
  ['/users/ada/apps/compass/codepush/Staging', 'Staging'],
  [`${app}/ingestion`, 'Ingestion'],
  [`${app}/tokens`, 'API tokens'],
  [`${app}/audit`, 'Audit log'],
  [`${app}/settings`, 'Settings'],
];

export const orgPages: [path: string, heading: string][] = [
  [org, 'Overview'],
  [`${org}/apps`, 'Apps'],
  [`${org}/people`, 'Members'],
  [`${org}/invitations`, 'Members'],
  [`${org}/teams`, 'Teams'],
  [`${org}/teams/pilots`, 'Pilots'],
  [`${org}/groups`, 'Tester groups'],
  [`${org}/groups/Beta%20divers`, 'Beta divers'],
  [`${org}/service-accounts`, 'Members'],
  [`${org}/service-accounts/build-robot`, 'API tokens of build-robot'],
  [`${org}/audit`, 'Audit log'],
  [`${org}/settings`, 'Settings'],
];

export const adminPages: [path: string, heading: string][] = [
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/clients', 'OAuth clients'],
  ['/admin/mails', 'Mail'],
  ['/admin/jobs', 'Jobs'],
  ['/admin/jobs?state=waiting', 'Jobs'],
  ['/admin/server', 'Server'],
  ['/admin/audit', 'Audit log'],
];

export const healthPages = ({ webhook }: AcceptanceWorld): [path: string, heading: string][] => [
  ['/health', 'Service health'],
  [`/health?subscription=${subscription}&service=Mail&since=2020-01-01`, 'Service health'],
  ['/health?view=timeline', 'Service health'],
  ['/health/publish', 'Publish an event'],
  ['/health/import', 'Import events'],
  ['/health/subscriptions', 'Webhooks and feeds'],
  [`/health/subscriptions/${subscription}`, 'Harbour'],
  [`/health/subscriptions/${subscription}/webhooks/${webhook}`, 'Webhook to hooks.invalid'],
  [`/health/events/TIDE-001?subscription=${subscription}`, 'Mail is not delivered in the north'],
  ['/admin/subscriptions', 'Subscriptions'],
  [`/admin/subscriptions/${subscription}`, 'Harbour'],
  ['/admin/health-operators', 'Health operators'],
];
