import { addOrgs } from './accounts/orgs.fixtures.ts';
import { addPasswordReset } from './accounts/password-resets.fixtures.ts';
import { addServiceAccount } from './accounts/service-accounts.fixtures.ts';
import { addMary, addPeople, restorePeople } from './accounts/users.fixtures.ts';
import { addAlertRule } from './alerts/alerts.fixtures.ts';
import { addAudience } from './analytics/audiences.fixtures.ts';
import { addChart } from './analytics/charts.fixtures.ts';
import { addApps } from './apps/apps.fixtures.ts';
import { addTeam } from './apps/teams.fixtures.ts';
import { addBuilds } from './builds/builds.fixtures.ts';
import { addCodePush } from './codepush/codepush.fixtures.ts';
import { addCrashes } from './crashes/crashes.fixtures.ts';
import { addDataRequests } from './data-requests/data-requests.fixtures.ts';
import { addSubjectRequest } from './data-requests/subject-requests.fixtures.ts';
import { addTests } from './device-tests/tests.fixtures.ts';
import { addExport } from './exports/configurations.fixtures.ts';
import { addFeedback } from './feedback/feedback.fixtures.ts';
import {
  type FixtureServer,
  type Fixtures,
  lenientTo,
  type Person,
  type Step,
  withToken,
} from './fixtures/fixtures.ts';
import { addGroups } from './groups/groups.fixtures.ts';
import { addEvents } from './health/health-events.fixtures.ts';
import { addWebhookAndFeed } from './health/health-webhooks.fixtures.ts';
import { addDeviceSignIn } from './identity/device-sign-ins.fixtures.ts';
import { addOauthClient } from './identity/oauth.fixtures.ts';
import { App_UnblockLogs } from './ingest/blocks.contract.ts';
import { blocksExamples } from './ingest/blocks.examples.ts';
import { addLogs } from './ingest/logs.fixtures.ts';
import { addInvitations, addMembers } from './invitations/invitations.fixtures.ts';
import { recordMailId } from './mail/mails.fixtures.ts';
import { addEmailSettings } from './notifications/email-settings.fixtures.ts';
import { addProvisioning } from './provisioning/provisioning.fixtures.ts';
import { addReleases } from './releases/releases.fixtures.ts';
import { addSdkKeys } from './sdk-keys/sdk-keys.fixtures.ts';
import { addIdentityProvider } from './sign-in/sign-in.fixtures.ts';
import { addSubscription } from './subscriptions/subscriptions.fixtures.ts';
import { addSymbols } from './symbols/symbols.fixtures.ts';
import { addTokens } from './tokens/api-tokens.fixtures.ts';
import { addCiRule } from './tokens/ci-rules.fixtures.ts';
import { addBugTracker } from './trackers/bug-trackers.fixtures.ts';
import { addQuota } from './usage/usage.fixtures.ts';
import { addWebhooks } from './webhooks/webhooks.fixtures.ts';

/** Ordered by dependency: each step only uses data of previous ones. */
const steps: readonly Step[] = [
  addMary,
  addOrgs,
  addApps,
  addMembers,
  addTeam,
  addServiceAccount,
  addInvitations,
  recordMailId,
  addGroups,
  addTokens,
  addPasswordReset,
  addOauthClient,
  addDeviceSignIn,
  addIdentityProvider,
  addProvisioning,
  addSubscription,
  addEvents,
  addWebhookAndFeed,
  addLogs,
  addSdkKeys,
  addCodePush,
  addCrashes,
  addFeedback,
  addSymbols,
  addReleases,
  addAudience,
  addChart,
  addExport,
  addBuilds,
  addTests,
  addCiRule,
  addDataRequests,
  addWebhooks,
  addEmailSettings,
  addAlertRule,
  addQuota,
  addBugTracker,
  addSubjectRequest,
];

/** Creates the data that the examples refer to, through the API of a server whose administrator is Ada. */
export async function buildFixtures(server: FixtureServer): Promise<Fixtures> {
  const fixtures = await addPeople(server);
  for (const step of steps) await step(fixtures);
  return fixtures;
}

/** The same fixtures on another server with a copy of the data. */
export const movedTo = (server: FixtureServer, { ada, grace, linus, ids }: Fixtures): Fixtures => {
  const moved = (person: Person): Person => ({ ...person, call: withToken(server, person.token) });
  return { server, ada: moved(ada), grace: moved(grace), linus: moved(linus), ids };
};

/** Creates missing data again and keeps the rest. */
export async function restoreFixtures({ ada, grace, linus, ...fixtures }: Fixtures): Promise<void> {
  await restorePeople({ ...fixtures, ada: lenientTo(ada), grace, linus });
  const people = { ada: lenientTo(ada), grace: lenientTo(grace), linus: lenientTo(linus) };
  // A test may have blocked the logs of devices.
  await people.ada.call(App_UnblockLogs, blocksExamples.App_UnblockLogs);
  for (const step of steps) await step({ ...fixtures, ...people });
}

export { type ExampleRequest, exampleRequest } from './fixtures/example-request.ts';
export {
  type FixtureServer,
  type Fixtures,
  getId,
  type Person,
  password,
  putId,
  shown,
  signIn,
  withToken,
} from './fixtures/fixtures.ts';
export { invitationTo, joinApp, joinOrg } from './invitations/invitations.fixtures.ts';
export { createLinkReader } from './mail/mails.fixtures.ts';
export { SCIM_TOKEN } from './provisioning/provisioning.fixtures.ts';
