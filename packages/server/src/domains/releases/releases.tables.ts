import type { Kysely } from 'kysely';
import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { uploadsViews } from '../../uploads/uploads.tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';
import { groupsViews } from '../groups/groups.tables.ts';

export { type AppsReader, isReadable, type Sample, selectAppNames } from '../apps/apps.tables.ts';

export interface ReleasesTable {
  app_id: string;
  /** Sequence number in the app. */
  id: number;
  version: string;
  short_version: string;
  /** Kind of package. */
  kind: string;
  file_name: string;
  size: number;
  sha256: string;
  blob_key: string;
  /** Path on this server. */
  icon_path: string | null;
  bundle_identifier: string | null;
  min_os: string | null;
  min_api_level: string | null;
  device_family: string | null;
  /** JSON: hashes as SDKs compute them. */
  hashes: string;
  /** JSON: other metadata of the package. */
  facts: string;
  notes: string | null;
  is_enabled: Flag;
  /** JSON: the commit that it was built from. */
  build: string | null;
  /** JSON: signatures for self-updating programs. */
  signatures: string | null;
  uploaded_at: number;
}

export interface ReleaseCountersTable {
  app_id: string;
  last_id: number;
}

/** An upload of a package that becomes a release; its ID is that of the upload. */
export interface ReleaseUploadsTable {
  id: string;
  app_id: string;
  build_version: string | null;
  build_number: string | null;
  status: 'uploadStarted' | 'uploadFinished' | 'readyToBePublished' | 'uploadCanceled' | 'error';
  error_details: string | null;
  /** JSON: the file, from its arrival until it belongs to a release or is deleted. */
  file: string | null;
  release_id: number | null;
  created_at: number;
}

export interface ReleaseHashesTable {
  app_id: string;
  release_id: number;
  hash: string;
}

export interface ReleaseGroupsTable {
  app_id: string;
  release_id: number;
  group_id: string;
  is_mandatory: Flag;
  added_at: number;
}

export interface ReleaseTestersTable {
  app_id: string;
  release_id: number;
  user_id: string;
  is_mandatory: Flag;
  added_at: number;
}

/** A token for private update checks: an app on a device sends it for its tester. */
export interface UpdateTokensTable {
  hash: string;
  id: string;
  app_id: string;
  user_id: string;
  platform: string;
  created_at: number;
}

/** Installs of a release by installer and group; empty without a group. */
export interface ReleaseInstallsTable {
  app_id: string;
  release_id: number;
  group_id: string;
  installer: string;
  count: number;
  /** Time of the last install. 0 in rows of earlier versions, until the next sweep. */
  noted_at: number;
}

/** The newest release of an app that a tester has installed, as far as known. */
export interface TesterInstallsTable {
  user_id: string;
  app_id: string;
  release_id: number;
  installed_at: number;
}

/** An Apple device of a tester. */
export interface DevicesTable {
  user_id: string;
  /** In upper case. */
  udid: string;
  model: string;
  os_build: string;
  os_version: string;
  serial: string | null;
  imei: string | null;
  registered_at: number;
}

/** A store that releases of an app are published to. */
export interface DistributionStoresTable {
  id: string;
  app_id: string;
  name: string;
  name_key: string;
  type: 'googleplay' | 'intune' | 'apple';
  track: string | null;
  service_connection_id: string | null;
  sealed_credentials: string | null;
  created_by: string | null;
  created_at: number;
  /** JSON: audience and category, for Intune. */
  details: string | null;
}

export interface ReleaseStoresTable {
  app_id: string;
  release_id: number;
  store_id: string;
  status: string;
  /** Changes with each attempt; for a handover, the ID of the runner's job. */
  attempt: string;
  log: string;
  error: string | null;
  added_at: number;
}

/** Retention rule of an app, or of the apps of an owner. */
export interface ReleaseRetentionTable {
  id: string;
  keep_last: number | null;
  keep_days: number | null;
  keep_latest: Flag;
}

/** Whether releases whose tests failed are blocked. */
export interface ReleaseGatesTable {
  app_id: string;
  holds_failed: Flag;
}

/** The App Store app of an app, as a user linked it. */
export interface AppleMappingsTable {
  app_id: string;
  service_connection_id: string;
  apple_id: string | null;
  bundle_identifier: string | null;
  team_identifier: string;
  /** JSON: ID and name of each. */
  test_flight_groups: string;
}

/** A runner's job that signs a release for more devices; its ID is that of the job. */
export interface ReleaseResigningsTable {
  id: string;
  app_id: string;
  release_id: number;
  status: 'submitted' | 'processing' | 'completed' | 'failed';
  error: string | null;
  device_count: number;
  /** JSON: its devices, until it has ended. */
  udids: string;
  created_at: number;
}

/** Releases that a tester will be notified of by email. */
export interface ReleaseNoticesTable {
  user_id: string;
  app_id: string;
  release_id: number;
}

/** Users who unsubscribed from emails about releases. */
export interface ReleaseMailRefusalsTable {
  user_id: string;
  refused_at: number;
}

/** Destinations that wait until the tests of a release have passed. */
export interface HeldReleasesTable {
  app_id: string;
  release_id: number;
  type: 'group' | 'tester' | 'store';
  /** ID of a group or store, or the email address of a tester. */
  destination: string;
  is_mandatory: Flag;
  is_told: Flag;
  held_at: number;
}

export const releasesTables = defineTables<{
  releases: ReleasesTable;
  release_counters: ReleaseCountersTable;
  release_uploads: ReleaseUploadsTable;
  release_hashes: ReleaseHashesTable;
  release_groups: ReleaseGroupsTable;
  release_testers: ReleaseTestersTable;
  update_tokens: UpdateTokensTable;
  release_installs: ReleaseInstallsTable;
  tester_installs: TesterInstallsTable;
  devices: DevicesTable;
  distribution_stores: DistributionStoresTable;
  release_stores: ReleaseStoresTable;
  apple_mappings: AppleMappingsTable;
  release_retention: ReleaseRetentionTable;
  release_gates: ReleaseGatesTable;
  held_releases: HeldReleasesTable;
  release_resignings: ReleaseResigningsTable;
  release_notices: ReleaseNoticesTable;
  release_mail_refusals: ReleaseMailRefusalsTable;
}>({
  // Changes invalidate cached responses to devices.
  releases: { responses: true },
  release_counters: {},
  release_uploads: {},
  release_hashes: {},
  release_groups: { responses: true },
  release_testers: { personal: { by: { user_id: 'userId' } } },
  update_tokens: { personal: { by: { user_id: 'userId' }, secret: ['hash'] } },
  release_installs: {},
  tester_installs: { personal: { by: { user_id: 'userId' } } },
  devices: { personal: { by: { user_id: 'userId' } } },
  distribution_stores: {
    personal: {
      by: { created_by: { holds: 'userId', erase: { created_by: 'null' } } },
      secret: ['sealed_credentials'],
    },
  },
  release_stores: {},
  apple_mappings: {},
  release_retention: {},
  release_gates: {},
  held_releases: {},
  release_resignings: {},
  release_notices: { personal: { by: { user_id: 'userId' } } },
  release_mail_refusals: { personal: { by: { user_id: 'userId' } } },
});

const access = accessTo(releasesTables, uploadsViews, accountsViews, appsViews, groupsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;

/** Groups of an app that a user is in, as a tester or, in the group of collaborators, as a member of the app. */
export const selectMemberGroups = (q: Kysely<Tables>, p: { appId: string; userId: string }) =>
  q
    .selectFrom('group_apps')
    .select('group_apps.group_id')
    .where('group_apps.app_id', '=', p.appId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('group_members')
          .select('group_members.user_id')
          .whereRef('group_members.group_id', '=', 'group_apps.group_id')
          .where('group_members.user_id', '=', p.userId),
      ),
    );
