import type { accountsTables } from '../../src/domains/accounts/accounts.tables.ts';
import type { alertsTables } from '../../src/domains/alerts/alerts.tables.ts';
import type { analyticsTables } from '../../src/domains/analytics/analytics.tables.ts';
import type { appsTables } from '../../src/domains/apps/apps.tables.ts';
import type { auditTables } from '../../src/domains/audit/audit.tables.ts';
import type { buildsTables } from '../../src/domains/builds/builds.tables.ts';
import type { codepushTables } from '../../src/domains/codepush/codepush.tables.ts';
import type { crashesTables } from '../../src/domains/crashes/crashes.tables.ts';
import type { dataRequestsTables } from '../../src/domains/data-requests/data-requests.tables.ts';
import type { exportsTables } from '../../src/domains/exports/exports.tables.ts';
import type { groupsTables } from '../../src/domains/groups/groups.tables.ts';
import type { healthTables } from '../../src/domains/health/health.tables.ts';
import type { identityTables } from '../../src/domains/identity/identity.tables.ts';
import type { ingestTables } from '../../src/domains/ingest/ingest.tables.ts';
import type { invitationsTables } from '../../src/domains/invitations/invitations.tables.ts';
import type { mailTables } from '../../src/domains/mail/mail.tables.ts';
import type { notificationsTables } from '../../src/domains/notifications/notifications.tables.ts';
import type { releasesTables } from '../../src/domains/releases/releases.tables.ts';
import type { runnersTables } from '../../src/domains/runners/runners.tables.ts';
import type { subscriptionsTables } from '../../src/domains/subscriptions/subscriptions.tables.ts';
import type { symbolsTables } from '../../src/domains/symbols/symbols.tables.ts';
import type { testsTables } from '../../src/domains/tests/tests.tables.ts';
import type { tokensTables } from '../../src/domains/tokens/tokens.tables.ts';
import type { trackersTables } from '../../src/domains/trackers/trackers.tables.ts';
import type { usageTables } from '../../src/domains/usage/usage.tables.ts';
import type { webhooksTables } from '../../src/domains/webhooks/webhooks.tables.ts';
import type { rateCountsTables } from '../../src/http/rate-counts.tables.ts';
import type { jobsTables } from '../../src/jobs/jobs.tables.ts';
import type { deliveryTables } from '../../src/outbound/delivery/delivery.tables.ts';
import type { uploadsTables } from '../../src/uploads/uploads.tables.ts';

type RowsOf<S extends { rows?: object }> = NonNullable<S['rows']>;

type TestedTables = RowsOf<typeof accountsTables> &
  RowsOf<typeof alertsTables> &
  RowsOf<typeof analyticsTables> &
  RowsOf<typeof appsTables> &
  RowsOf<typeof auditTables> &
  RowsOf<typeof buildsTables> &
  RowsOf<typeof crashesTables> &
  RowsOf<typeof codepushTables> &
  RowsOf<typeof exportsTables> &
  RowsOf<typeof dataRequestsTables> &
  RowsOf<typeof groupsTables> &
  RowsOf<typeof healthTables> &
  RowsOf<typeof identityTables> &
  RowsOf<typeof ingestTables> &
  RowsOf<typeof invitationsTables> &
  RowsOf<typeof jobsTables> &
  RowsOf<typeof deliveryTables> &
  RowsOf<typeof mailTables> &
  RowsOf<typeof notificationsTables> &
  RowsOf<typeof rateCountsTables> &
  RowsOf<typeof releasesTables> &
  RowsOf<typeof runnersTables> &
  RowsOf<typeof subscriptionsTables> &
  RowsOf<typeof symbolsTables> &
  RowsOf<typeof testsTables> &
  RowsOf<typeof tokensTables> &
  RowsOf<typeof trackersTables> &
  RowsOf<typeof uploadsTables> &
  RowsOf<typeof usageTables> &
  RowsOf<typeof webhooksTables>;

/** Tests and benchmarks look into the tables of several domains at once, by bare queries. */
declare module '../../src/db/handle.ts' {
  interface QueryTables extends TestedTables {
    key_values: { name: string; value: string };
    versions: { name: string; value: number };
  }
}
