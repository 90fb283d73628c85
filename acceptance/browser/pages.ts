import { crashIssues_get, test_getTestRun, webhooks_get } from '@mooring/contract';
import { idOf } from '@mooring/contract/world';
import { type AcceptanceWorld, subscription } from '../harness/world.ts';

const app = '/orgs/lighthouse/apps/compass';
/** Devices send what they have to tell here, and it crashes. */
const used = '/users/ada/apps/compass';
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
  [
    '/install/apps/a-secret/private-update-setup?release_hash=a&redirect_id=b&request_id=c&platform=iOS',
    'Updates of an app',
  ],
  ['/install/apps/a-secret/update-setup/', 'Updates of an app'],
  ['/orgs/nowhere', 'It does not exist, or you may not see it'],
  ['/settings/profile', 'Profile'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/connections', 'Connections'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/data', 'Your data'],
];

export const appPages = (world: AcceptanceWorld): [path: string, heading: string][] => [
  [used, 'Overview'],
  [app, 'Overview'],
  [`${app}/analytics`, 'Analytics'],
  [`${used}/analytics`, 'Analytics'],
  [`${used}/analytics/events`, 'Analytics'],
  [`${used}/analytics/events/checkout`, 'checkout'],
  [`${used}/analytics/audiences`, 'Analytics'],
  [`${used}/analytics/log-flow`, 'Analytics'],
  [`${used}/analytics/log-flow/search`, 'Search logs'],
  [`${used}/analytics/explore`, 'Explore'],
  [`${used}/analytics/funnel`, 'Explore'],
  [`${used}/analytics/retention`, 'Explore'],
  [`${used}/analytics/paths`, 'Explore'],
  [`${app}/crashes`, 'Crashes'],
  [`${used}/crashes`, 'Crashes'],
  [`${used}/crashes/${idOf(world, crashIssues_get, 'issue_id')}`, 'java.lang.IllegalStateException'],
  [`${used}/symbols`, 'Crashes'],
  [`${app}/test/runs`, 'Tests'],
  [`${used}/test/runs`, 'Tests'],
  [`${used}/test/devices`, 'Tests'],
  [`${used}/test/series/nightly/runs/${idOf(world, test_getTestRun, 'test_run_id')}`, 'nightly'],
  [`${used}/alerts`, 'Alerts'],
  [`${used}/bug-tracker`, 'Bug tracker'],
  [`${used}/data-requests`, 'Data requests'],
  [`${app}/bug-tracker`, 'Bug tracker'],
  [`${used}/usage`, 'Usage'],
  [`${used}/notifications`, 'Notifications'],
  [`${used}/webhooks`, 'Webhooks'],
  [`${used}/webhooks/${idOf(world, webhooks_get, 'webhook_id')}`, 'Crashes to chat'],
  [`${used}/ingestion`, 'Ingestion'],
  [`${app}/analytics/set-up`, 'Ingestion'],
  [`${app}/releases`, 'Releases'],
  [`${used}/releases`, 'Releases'],
  [`${used}/releases/1`, '1.4.0 (140)'],
  ['/orgs/lighthouse/apps/tide-table/releases/1', '1.2.3 (42)'],
  [`${used}/groups/Beta%20divers`, 'Beta divers'],
  [`${app}/users`, 'Members'],
  [`${app}/groups`, 'Tester groups'],
  [`${app}/groups/Shore%20crew`, 'Shore crew'],
  [`${app}/codepush`, 'CodePush'],
  [`${used}/codepush`, 'CodePush'],
  [`${used}/codepush/Staging`, 'Staging'],
  [`${app}/builds`, 'Builds'],
  [`${used}/builds`, 'Builds'],
  [`${used}/builds/history`, 'Builds'],
  [`${used}/builds/runners`, 'Builds'],
  [`${used}/builds/repository`, 'Builds'],
  [`${used}/builds/branches/main`, 'main'],
  [`${used}/builds/branches/main/configuration`, 'How main is built'],
  [`${used}/builds/1`, 'Build 1'],
  [`${app}/exports`, 'Export'],
  [`${used}/exports`, 'Export'],
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
  [`${org}/subscriptions`, 'Subscriptions'],
  [`${org}/runners`, 'Runners'],
  [`${org}/usage`, 'Usage'],
  [`${org}/webhooks`, 'Webhooks'],
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
  ['/admin/runners', 'Runners'],
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
