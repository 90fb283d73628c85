// `npm run generate` writes this file from the folders beside it.
import { examples as accountsExamples } from './accounts/examples.ts';
import { examples as administrationExamples } from './administration/examples.ts';
import { examples as alertsExamples } from './alerts/examples.ts';
import { examples as analyticsExamples } from './analytics/examples.ts';
import { examples as appsExamples } from './apps/examples.ts';
import { examples as auditExamples } from './audit/examples.ts';
import { examples as avatarsExamples } from './avatars/examples.ts';
import { examples as buildsExamples } from './builds/examples.ts';
import { examples as codepushExamples } from './codepush/examples.ts';
import { examples as crashesExamples } from './crashes/examples.ts';
import { examples as dataRequestsExamples } from './data-requests/examples.ts';
import { examples as deviceTestsExamples } from './device-tests/examples.ts';
import { examples as exportsExamples } from './exports/examples.ts';
import { examples as feedbackExamples } from './feedback/examples.ts';
import { examples as groupsExamples } from './groups/examples.ts';
import { examples as healthExamples } from './health/examples.ts';
import { examples as identityExamples } from './identity/examples.ts';
import { examples as ingestExamples } from './ingest/examples.ts';
import { examples as invitationsExamples } from './invitations/examples.ts';
import { examples as mailExamples } from './mail/examples.ts';
import { examples as notificationsExamples } from './notifications/examples.ts';
import { examples as provisioningExamples } from './provisioning/examples.ts';
import { examples as releasesExamples } from './releases/examples.ts';
import { examples as runnersExamples } from './runners/examples.ts';
import { examples as sdkKeysExamples } from './sdk-keys/examples.ts';
import { examples as searchExamples } from './search/examples.ts';
import { examples as signInExamples } from './sign-in/examples.ts';
import { examples as subscriptionsExamples } from './subscriptions/examples.ts';
import { examples as symbolsExamples } from './symbols/examples.ts';
import { examples as tokensExamples } from './tokens/examples.ts';
import { examples as trackersExamples } from './trackers/examples.ts';
import { examples as uploadsExamples } from './uploads/examples.ts';
import { examples as usageExamples } from './usage/examples.ts';
import { examples as webhooksExamples } from './webhooks/examples.ts';

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
  ...dataRequestsExamples,
  ...deviceTestsExamples,
  ...exportsExamples,
  ...feedbackExamples,
  ...groupsExamples,
  ...healthExamples,
  ...identityExamples,
  ...ingestExamples,
  ...invitationsExamples,
  ...mailExamples,
  ...notificationsExamples,
  ...provisioningExamples,
  ...releasesExamples,
  ...runnersExamples,
  ...sdkKeysExamples,
  ...searchExamples,
  ...signInExamples,
  ...subscriptionsExamples,
  ...symbolsExamples,
  ...tokensExamples,
  ...trackersExamples,
  ...uploadsExamples,
  ...usageExamples,
  ...webhooksExamples,
};
