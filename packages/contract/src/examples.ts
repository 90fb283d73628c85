import { accountsExamples } from './accounts/examples.ts';
import { administrationExamples } from './administration/examples.ts';
import { alertsExamples } from './alerts/examples.ts';
import { analyticsExamples } from './analytics/examples.ts';
import { appsExamples } from './apps/examples.ts';
import { auditExamples } from './audit/examples.ts';
import { avatarsExamples } from './avatars/examples.ts';
import { buildsExamples } from './builds/examples.ts';
import { codepushExamples } from './codepush/examples.ts';
import { crashesExamples } from './crashes/examples.ts';
import { dataRequestsExamples } from './data-requests/examples.ts';
import type { Example } from './endpoint/example.ts';
import { exportsExamples } from './exports/examples.ts';
import { groupsExamples } from './groups/examples.ts';
import { healthExamples } from './health/examples.ts';
import { identityExamples } from './identity/examples.ts';
import { ingestExamples } from './ingest/examples.ts';
import { invitationsExamples } from './invitations/examples.ts';
import { mailExamples } from './mail/examples.ts';
import { notificationsExamples } from './notifications/examples.ts';
import { releaseExamples } from './releases/examples.ts';
import { runnersExamples } from './runners/examples.ts';
import { searchExamples } from './search/examples.ts';
import { subscriptionsExamples } from './subscriptions/examples.ts';
import { symbolsExamples } from './symbols/examples.ts';
import { testsExamples } from './tests/examples.ts';
import { tokensExamples } from './tokens/examples.ts';
import { trackersExamples } from './trackers/examples.ts';
import { uploadExamples } from './uploads/examples.ts';
import { usageExamples } from './usage/examples.ts';
import { webhooksExamples } from './webhooks/examples.ts';

/** An example for every operation of the endpoint table, by its id. A browser never loads them. */
export const examples = {
  ...accountsExamples,
  ...administrationExamples,
  ...alertsExamples,
  ...analyticsExamples,
  ...appsExamples,
  ...auditExamples,
  ...avatarsExamples,
  ...buildsExamples,
  ...codepushExamples,
  ...crashesExamples,
  ...exportsExamples,
  ...dataRequestsExamples,
  ...groupsExamples,
  ...healthExamples,
  ...identityExamples,
  ...ingestExamples,
  ...invitationsExamples,
  ...mailExamples,
  ...notificationsExamples,
  ...releaseExamples,
  ...runnersExamples,
  ...searchExamples,
  ...subscriptionsExamples,
  ...symbolsExamples,
  ...testsExamples,
  ...tokensExamples,
  ...trackersExamples,
  ...uploadExamples,
  ...usageExamples,
  ...webhooksExamples,
};

export function exampleOf({ id }: { id: string }): Example {
  const example = (examples as Readonly<Record<string, Example>>)[id];
  if (!example) throw new Error(`The operation ${id} has no example.`);
  return example;
}

export type { Example, ExampleOf, ExamplesOf } from './endpoint/example.ts';
export { problemsWith } from './endpoint/run-example.ts';
export { announcementExamples } from './webhooks/examples.ts';
