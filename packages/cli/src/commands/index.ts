import type { Command } from '../framework/command.ts';
import { accountCommands } from './account.ts';
import { adminCommands } from './admin.ts';
import { alertCommands } from './alerts.ts';
import { analyticsCommands } from './analytics.ts';
import { apiCommands } from './api.ts';
import { appleDeviceCommands } from './apple-devices.ts';
import { appleMappingCommands } from './apple-mapping.ts';
import { appCommands } from './apps.ts';
import { audienceCommands } from './audiences.ts';
import { auditCommands } from './audit.ts';
import { buildCommands } from './builds.ts';
import { codepushCommands } from './codepush.ts';
import { completionCommands } from './completion.ts';
import { crashesCommands } from './crashes.ts';
import { exploreCommands } from './explore.ts';
import { exportCommands } from './exports.ts';
import { groupCommands } from './groups.ts';
import { healthCommands } from './health.ts';
import { healthImportCommands } from './health-import.ts';
import { healthWatchCommands } from './health-watch.ts';
import { feedCommands } from './health-webhooks.ts';
import { helpCommands } from './help.ts';
import { ingestCommands } from './ingest.ts';
import { invitationCommands } from './invitations.ts';
import { maintenanceCommands } from './maintenance.ts';
import { notificationCommands } from './notifications.ts';
import { oauthClientCommands } from './oauth-clients.ts';
import { orgCommands } from './orgs.ts';
import { releaseGateCommands } from './release-gate.ts';
import { resigningCommands } from './release-resigning.ts';
import { retentionCommands } from './release-retention.ts';
import { releaseCommands } from './releases.ts';
import { requestCommands } from './requests.ts';
import { runnerCommands } from './runners.ts';
import { searchCommands } from './search.ts';
import { serviceAccountCommands } from './service-accounts.ts';
import { storeCommands } from './stores.ts';
import { subscriptionCommands } from './subscriptions.ts';
import { symbolCommands } from './symbols.ts';
import { takeoutCommands } from './takeout.ts';
import { teamCommands } from './teams.ts';
import { testCommands } from './tests.ts';
import { tokenCommands } from './tokens.ts';
import { trackerCommands } from './trackers.ts';
import { usageCommands } from './usage.ts';
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
  ...tokenCommands,
  ...requestCommands,
  ...ingestCommands,
  ...analyticsCommands,
  ...symbolCommands,
  ...codepushCommands,
  ...exploreCommands,
  ...audienceCommands,
  ...crashesCommands,
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
