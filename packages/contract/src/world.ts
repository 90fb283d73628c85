import { addOrgs } from './accounts/orgs.world.ts';
import { addPasswordReset } from './accounts/password-resets.world.ts';
import { addServiceAccount } from './accounts/service-accounts.world.ts';
import { addMary, addPeople, mendPeople } from './accounts/users.world.ts';
import { addAlertRule } from './alerts/alerts.world.ts';
import { addAudience } from './analytics/audiences.world.ts';
import { addChart } from './analytics/charts.world.ts';
import { addApps } from './apps/apps.world.ts';
import { addTeam } from './apps/teams.world.ts';
import { addBuilds } from './builds/builds.world.ts';
import { addCodePush } from './codepush/codepush.world.ts';
import { addCrashes } from './crashes/crashes.world.ts';
import { addDataRequests } from './data-requests/data-requests.world.ts';
import { addSenderRequest } from './data-requests/sender-requests.world.ts';
import { addExport } from './exports/configurations.world.ts';
import { addGroups } from './groups/groups.world.ts';
import { addEvents } from './health/health-events.world.ts';
import { addWebhookAndFeed } from './health/health-webhooks.world.ts';
import { addOauthClient } from './identity/oauth.world.ts';
import { App_UnblockLogs } from './ingest/blocks.contract.ts';
import { blocksExamples } from './ingest/blocks.examples.ts';
import { addLogs } from './ingest/logs.world.ts';
import { addInvitations, addMembers } from './invitations/invitations.world.ts';
import { knowMail } from './mail/mails.world.ts';
import { addEmailSettings } from './notifications/email-settings.world.ts';
import { addReleases } from './releases/releases.world.ts';
import { addSubscription } from './subscriptions/subscriptions.world.ts';
import { addSymbols } from './symbols/symbols.world.ts';
import { addTests } from './tests/tests.world.ts';
import { addTokens } from './tokens/api-tokens.world.ts';
import { addBugTracker } from './trackers/bug-trackers.world.ts';
import { addQuota } from './usage/usage.world.ts';
import { addWebhooks } from './webhooks/webhooks.world.ts';
import { lenientTo, type Person, type Step, type World, type WorldServer, withToken } from './world/world.ts';

/** In the order in which one needs the other; each knows only what those before it have made. */
const steps: readonly Step[] = [
  addMary,
  addOrgs,
  addApps,
  addMembers,
  addTeam,
  addServiceAccount,
  addInvitations,
  knowMail,
  addGroups,
  addTokens,
  addPasswordReset,
  addOauthClient,
  addSubscription,
  addEvents,
  addWebhookAndFeed,
  addLogs,
  addCodePush,
  addCrashes,
  addSymbols,
  addReleases,
  addAudience,
  addChart,
  addExport,
  addBuilds,
  addTests,
  addDataRequests,
  addWebhooks,
  addEmailSettings,
  addAlertRule,
  addQuota,
  addBugTracker,
  addSenderRequest,
];

/** One of everything that the examples speak of, made through the API of a server on which ada is the administrator. */
export async function buildWorld(server: WorldServer): Promise<World> {
  const world = await addPeople(server);
  for (const step of steps) await step(world);
  return world;
}

/** The same world on another server, which has a copy of its data. */
export const movedTo = (server: WorldServer, { ada, grace, linus, ids }: World): World => {
  const moved = (person: Person): Person => ({ ...person, call: withToken(server, person.token) });
  return { server, ada: moved(ada), grace: moved(grace), linus: moved(linus), ids };
};

/** Makes whatever is no longer there, and goes past what is. */
export async function mendWorld({ ada, grace, linus, ...world }: World): Promise<void> {
  await mendPeople({ ...world, ada: lenientTo(ada), grace, linus });
  const people = { ada: lenientTo(ada), grace: lenientTo(grace), linus: lenientTo(linus) };
  // Somebody may have seen to it that what devices send is dropped.
  await people.ada.call(App_UnblockLogs, blocksExamples.App_UnblockLogs);
  for (const step of steps) await step({ ...world, ...people });
}

export { invitationTo, joinApp, joinOrg } from './invitations/invitations.world.ts';
export { linksOf } from './mail/mails.world.ts';
export { type ExampleRequest, exampleRequest } from './world/example-request.ts';
export {
  idOf,
  type Person,
  password,
  putId,
  shown,
  signIn,
  type World,
  type WorldServer,
  withToken,
} from './world/world.ts';
