import { orgsExamples } from './accounts/orgs.examples.ts';
import { passwordResetsExamples } from './accounts/password-resets.examples.ts';
import { serverExamples } from './accounts/server.examples.ts';
import { serviceAccountsExamples } from './accounts/service-accounts.examples.ts';
import { sessionsExamples } from './accounts/sessions.examples.ts';
import { usersExamples } from './accounts/users.examples.ts';
import { administrationExamples } from './administration/administration.examples.ts';
import { appsExamples } from './apps/apps.examples.ts';
import { teamsExamples } from './apps/teams.examples.ts';
import { auditExamples } from './audit/audit.examples.ts';
import type { Example } from './endpoint/example.ts';
import { groupMembersExamples } from './groups/group-members.examples.ts';
import { groupsExamples } from './groups/groups.examples.ts';
import { healthEventsExamples } from './health/health-events.examples.ts';
import { healthFeedsExamples } from './health/health-feeds.examples.ts';
import { healthWebhooksExamples } from './health/health-webhooks.examples.ts';
import { oauthExamples } from './identity/oauth.examples.ts';
import { invitationsExamples } from './invitations/invitations.examples.ts';
import { mailsExamples } from './mail/mails.examples.ts';
import { azureSubscriptionsExamples } from './subscriptions/azure-subscriptions.examples.ts';
import { subscriptionsExamples } from './subscriptions/subscriptions.examples.ts';
import { apiTokensExamples } from './tokens/api-tokens.examples.ts';

/** An example for every operation of the endpoint table, by its id. A browser never loads them. */
export const examples = {
  ...orgsExamples,
  ...passwordResetsExamples,
  ...serverExamples,
  ...serviceAccountsExamples,
  ...sessionsExamples,
  ...usersExamples,
  ...administrationExamples,
  ...appsExamples,
  ...teamsExamples,
  ...auditExamples,
  ...groupMembersExamples,
  ...groupsExamples,
  ...healthEventsExamples,
  ...healthFeedsExamples,
  ...healthWebhooksExamples,
  ...oauthExamples,
  ...invitationsExamples,
  ...mailsExamples,
  ...azureSubscriptionsExamples,
  ...subscriptionsExamples,
  ...apiTokensExamples,
};

export function exampleOf({ id }: { id: string }): Example {
  const example = (examples as Readonly<Record<string, Example>>)[id];
  if (!example) throw new Error(`The operation ${id} has no example.`);
  return example;
}

export type { Example, ExampleOf, ExamplesOf } from './endpoint/example.ts';
