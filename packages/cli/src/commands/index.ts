import type { Command } from '../framework/command.ts';
import { accountCommands } from './account/account.ts';
import { ciRuleCommands } from './account/ci-rules.ts';
import { notificationCommands } from './account/notifications.ts';
import { requestCommands } from './account/requests.ts';
import { tokenCommands } from './account/tokens.ts';
import { adminCommands } from './administration/admin.ts';
import { auditCommands } from './administration/audit.ts';
import { maintenanceCommands } from './administration/maintenance.ts';
import { oauthClientCommands } from './administration/oauth-clients.ts';
import { takeoutCommands } from './administration/takeout.ts';
import { usageCommands } from './administration/usage.ts';
import { apiCommands } from './api.ts';
import { buildCommands } from './builds/builds.ts';
import { runnerCommands } from './builds/runners.ts';
import { testCommands } from './builds/tests.ts';
import { codepushCommands } from './codepush.ts';
import { completionCommands } from './completion.ts';
import { healthCommands } from './health/health.ts';
import { healthImportCommands } from './health/health-import.ts';
import { healthWatchCommands } from './health/health-watch.ts';
import { feedCommands } from './health/health-webhooks.ts';
import { subscriptionCommands } from './health/subscriptions.ts';
import { helpCommands } from './help.ts';
import { appCommands } from './organizations/apps.ts';
import { groupCommands } from './organizations/groups.ts';
import { invitationCommands } from './organizations/invitations.ts';
import { orgCommands } from './organizations/orgs.ts';
import { provisioningCommands } from './organizations/provisioning.ts';
import { serviceAccountCommands } from './organizations/service-accounts.ts';
import { teamCommands } from './organizations/teams.ts';
import { appleDeviceCommands } from './releases/apple-devices.ts';
import { appleMappingCommands } from './releases/apple-mapping.ts';
import { releaseGateCommands } from './releases/release-gate.ts';
import { resigningCommands } from './releases/release-resigning.ts';
import { retentionCommands } from './releases/release-retention.ts';
import { releaseCommands } from './releases/releases.ts';
import { storeCommands } from './releases/stores.ts';
import { searchCommands } from './search.ts';
import { alertCommands } from './telemetry/alerts.ts';
import { analyticsCommands } from './telemetry/analytics.ts';
import { audienceCommands } from './telemetry/audiences.ts';
import { crashesCommands } from './telemetry/crashes.ts';
import { exploreCommands } from './telemetry/explore.ts';
import { exportCommands } from './telemetry/exports.ts';
import { feedbackCommands } from './telemetry/feedback.ts';
import { ingestCommands } from './telemetry/ingest.ts';
import { sentryCommands } from './telemetry/sentry.ts';
import { symbolCommands } from './telemetry/symbols.ts';
import { trackerCommands } from './telemetry/trackers.ts';
import { webhookCommands } from './webhooks.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  ...accountCommands,
  ...searchCommands,
  ...appCommands,
  ...orgCommands,
  ...teamCommands,
  ...groupCommands,
  ...releaseCommands,
  ...retentionCommands,
  ...releaseGateCommands,
  ...resigningCommands,
  ...storeCommands,
  ...appleMappingCommands,
  ...appleDeviceCommands,
  ...invitationCommands,
  ...serviceAccountCommands,
  ...provisioningCommands,
  ...tokenCommands,
  ...ciRuleCommands,
  ...requestCommands,
  ...ingestCommands,
  ...sentryCommands,
  ...analyticsCommands,
  ...symbolCommands,
  ...codepushCommands,
  ...exploreCommands,
  ...audienceCommands,
  ...crashesCommands,
  ...feedbackCommands,
  ...trackerCommands,
  ...buildCommands,
  ...runnerCommands,
  ...testCommands,
  ...exportCommands,
  ...healthCommands,
  ...healthImportCommands,
  ...healthWatchCommands,
  ...subscriptionCommands,
  ...alertCommands,
  ...usageCommands,
  ...notificationCommands,
  ...webhookCommands,
  ...feedCommands,
  ...auditCommands,
  ...adminCommands,
  ...oauthClientCommands,
  ...takeoutCommands,
  ...maintenanceCommands,
  ...apiCommands,
  ...completionCommands,
  ...helpCommands,
];
