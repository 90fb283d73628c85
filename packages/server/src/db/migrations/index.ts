import type { Migration } from 'kysely/migration';
import { peopleAndTokens } from './0001-people-and-tokens.ts';
import { organizationsAndApps } from './0002-organizations-and-apps.ts';
import { jobsAndInvitations } from './0003-jobs-and-invitations.ts';
import { serviceAccounts } from './0004-service-accounts.ts';
import { distributionGroups } from './0005-distribution-groups.ts';
import { identity } from './0007-identity.ts';
import { health } from './0008-health.ts';
import { passwordResets } from './0009-password-resets.ts';
import { rateCounts } from './0010-rate-counts.ts';
import { webhooksAndFeeds } from './0011-webhooks-and-feeds.ts';
import { verifiedEmails } from './0012-verified-emails.ts';
import { endsOfLinks } from './0013-ends-of-links.ts';
import { versions } from './0014-versions.ts';
import { delivery } from './0015-delivery.ts';
import { tablesOfDomains } from './0016-tables-of-domains.ts';
import { auditCredentials } from './0017-audit-credentials.ts';
import { ingestion } from './0018-ingestion.ts';
import { formerSecrets } from './0019-former-secrets.ts';
import { lists } from './0020-lists.ts';
import { analytics } from './0022-analytics.ts';
import { uploads } from './0024-uploads.ts';
import { releases } from './0025-releases.ts';
import { crashes } from './0026-crashes.ts';
import { symbols } from './0027-symbols.ts';
import { codepush } from './0028-codepush.ts';
import { audiencesAndCharts } from './0029-audiences-and-charts.ts';
import { codepushCurvesAndHalts } from './0035-codepush-curves-and-halts.ts';
import { batchesOfParts } from './0037-batches-of-parts.ts';
import { devices } from './0039-devices.ts';
import { stores } from './0040-stores.ts';
import { retentionAndNotices } from './0041-retention-and-notices.ts';
import { exports } from './0043-exports.ts';
import { backfill } from './0044-backfill.ts';
import { dataRequests } from './0046-data-requests.ts';
import { searchedText } from './0048-searched-text.ts';
import { retentionOfApps } from './0049-retention-of-apps.ts';
import { runnersAndBuilds } from './0051-runners-and-builds.ts';
import { webhooksOfApps } from './0054-webhooks-of-apps.ts';
import { notifications } from './0055-notifications.ts';
import { quotas } from './0056-quotas.ts';
import { alerts } from './0057-alerts.ts';
import { typesOfBatches } from './0058-types-of-batches.ts';
import { devicesOfRunners } from './0059-devices-of-runners.ts';
import { tests } from './0060-tests.ts';
import { pushHooks } from './0061-push-hooks.ts';
import { bugTrackers } from './0063-bug-trackers.ts';
import { requestsAboutSenders } from './0064-requests-about-senders.ts';
import { formerDeploymentKeys } from './0066-former-deployment-keys.ts';
import { invalidLogs } from './0068-invalid-logs.ts';
import { reprocessings } from './0069-reprocessings.ts';
import { appleMappings } from './0070-apple-mappings.ts';
import { htmlOfMails } from './0071-html-of-mails.ts';
import { queuesOfBuilds } from './0073-queues-of-builds.ts';
import { deployKeys } from './0074-deploy-keys.ts';
import { testedPackages } from './0078-tested-packages.ts';
import { queueOfDeliveries } from './0081-queue-of-deliveries.ts';
import { filtersOfWebhooks } from './0082-filters-of-webhooks.ts';
import { searchOfProducts } from './0085-search-of-products.ts';
import { handovers } from './0086-handovers.ts';
import { closedTickets } from './0090-closed-tickets.ts';
import { deletedFromBatches } from './0091-deleted-from-batches.ts';
import { outcomesOfTests } from './0100-outcomes-of-tests.ts';
import { releasesThatWait } from './0101-releases-that-wait.ts';
import { piecesInPlace } from './0102-pieces-in-place.ts';
import { countsOfPieces } from './0106-counts-of-pieces.ts';
import { indexesOfReports } from './0112-indexes-of-reports.ts';
import { bodiesAndDaysOfReports } from './0113-bodies-and-days-of-reports.ts';
import { jobsByName } from './0114-jobs-by-name.ts';
import { batchesOfReports } from './0116-batches-of-reports.ts';
import { whatWasElsewhere } from './0118-what-was-elsewhere.ts';
import { newestOfAll } from './0119-newest-of-all.ts';
import { limitedRequests } from './0130-limited-requests.ts';
import { announcedByHour } from './0131-announced-by-hour.ts';
import { packedFiles } from './0132-packed-files.ts';
import { jobsByOwner } from './0135-jobs-by-owner.ts';
import { timesOfInstalls } from './0136-times-of-installs.ts';
import { sealedTestParameters } from './0140-sealed-test-parameters.ts';
import { reusedOauthCodes } from './0141-reused-oauth-codes.ts';
import { blockedDownloads } from './0142-blocked-downloads.ts';
import { sealedAddresses } from './0143-sealed-addresses.ts';
import { accountsOfUploads } from './0144-accounts-of-uploads.ts';
import { reasonsOfUnknownAlerts } from './0145-reasons-of-unknown-alerts.ts';

/** In order; frozen once released. */
export const migrations: Record<string, Migration> = {
  '0001-people-and-tokens': peopleAndTokens,
  '0002-organizations-and-apps': organizationsAndApps,
  '0003-jobs-and-invitations': jobsAndInvitations,
  '0004-service-accounts': serviceAccounts,
  '0005-distribution-groups': distributionGroups,
  '0007-identity': identity,
  '0008-health': health,
  '0009-password-resets': passwordResets,
  '0010-rate-counts': rateCounts,
  '0011-webhooks-and-feeds': webhooksAndFeeds,
  '0012-verified-emails': verifiedEmails,
  '0013-ends-of-links': endsOfLinks,
  '0014-versions': versions,
  '0015-delivery': delivery,
  '0016-tables-of-domains': tablesOfDomains,
  '0017-audit-credentials': auditCredentials,
  '0018-ingestion': ingestion,
  '0019-former-secrets': formerSecrets,
  '0020-lists': lists,
  '0022-analytics': analytics,
  '0024-uploads': uploads,
  '0025-releases': releases,
  '0026-crashes': crashes,
  '0027-symbols': symbols,
  '0028-codepush': codepush,
  '0029-audiences-and-charts': audiencesAndCharts,
  '0035-codepush-curves-and-halts': codepushCurvesAndHalts,
  '0037-batches-of-parts': batchesOfParts,
  '0039-devices': devices,
  '0040-stores': stores,
  '0041-retention-and-notices': retentionAndNotices,
  '0043-exports': exports,
  '0044-backfill': backfill,
  '0046-data-requests': dataRequests,
  '0048-searched-text': searchedText,
  '0049-retention-of-apps': retentionOfApps,
  '0051-runners-and-builds': runnersAndBuilds,
  '0054-webhooks-of-apps': webhooksOfApps,
  '0055-notifications': notifications,
  '0056-quotas': quotas,
  '0057-alerts': alerts,
  '0058-types-of-batches': typesOfBatches,
  '0059-devices-of-runners': devicesOfRunners,
  '0060-tests': tests,
  '0061-push-hooks': pushHooks,
  '0063-bug-trackers': bugTrackers,
  '0064-requests-about-senders': requestsAboutSenders,
  '0066-former-deployment-keys': formerDeploymentKeys,
  '0068-invalid-logs': invalidLogs,
  '0069-reprocessings': reprocessings,
  '0070-apple-mappings': appleMappings,
  '0071-html-of-mails': htmlOfMails,
  '0073-queues-of-builds': queuesOfBuilds,
  '0074-deploy-keys': deployKeys,
  '0078-tested-packages': testedPackages,
  '0081-queue-of-deliveries': queueOfDeliveries,
  '0082-filters-of-webhooks': filtersOfWebhooks,
  '0085-search-of-products': searchOfProducts,
  '0086-handovers': handovers,
  '0090-closed-tickets': closedTickets,
  '0091-deleted-from-batches': deletedFromBatches,
  '0100-outcomes-of-tests': outcomesOfTests,
  '0101-releases-that-wait': releasesThatWait,
  '0102-pieces-in-place': piecesInPlace,
  '0106-counts-of-pieces': countsOfPieces,
  '0112-indexes-of-reports': indexesOfReports,
  '0113-bodies-and-days-of-reports': bodiesAndDaysOfReports,
  '0114-jobs-by-name': jobsByName,
  '0116-batches-of-reports': batchesOfReports,
  '0118-what-was-elsewhere': whatWasElsewhere,
  '0119-newest-of-all': newestOfAll,
  '0130-limited-requests': limitedRequests,
  '0131-announced-by-hour': announcedByHour,
  '0132-packed-files': packedFiles,
  '0135-jobs-by-owner': jobsByOwner,
  '0136-times-of-installs': timesOfInstalls,
  '0140-sealed-test-parameters': sealedTestParameters,
  '0141-reused-oauth-codes': reusedOauthCodes,
  '0142-blocked-downloads': blockedDownloads,
  '0143-sealed-addresses': sealedAddresses,
  '0144-accounts-of-uploads': accountsOfUploads,
  '0145-reasons-of-unknown-alerts': reasonsOfUnknownAlerts,
};
