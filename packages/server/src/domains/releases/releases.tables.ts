import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { uploadsTables } from '../../uploads/uploads.tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appReaders, appsTables } from '../apps/apps.tables.ts';
import { groupsTables } from '../groups/groups.tables.ts';

export { type AppsReader, isReadable, namesOfApp, type Sample } from '../apps/apps.tables.ts';

export interface ReleasesTable {
  app_id: string;
  /** Counts the releases of its app. */
  id: number;
  version: string;
  short_version: string;
  /** What kind of package it is. */
  kind: string;
  file_name: string;
  size: number;
  sha256: string;
  blob_key: string;
  /** On this server. */
  icon_path: string | null;
  bundle_identifier: string | null;
  min_os: string | null;
  min_api_level: string | null;
  device_family: string | null;
  /** JSON: as SDKs compute them. */
  hashes: string;
  /** JSON: what else the package says of itself. */
  facts: string;
  notes: string | null;
  is_enabled: Flag;
  /** JSON: from which commit it was built. */
  build: string | null;
  /** JSON: for programs that update by themselves. */
  signatures: string | null;
  uploaded_at: number;
}

export interface ReleaseCountersTable {
  app_id: string;
  last_id: number;
}

/** A package on its way to become a release; its id is that of the upload. */
export interface ReleaseUploadsTable {
  id: string;
  app_id: string;
  build_version: string | null;
  build_number: string | null;
  status: 'uploadStarted' | 'uploadFinished' | 'readyToBePublished' | 'uploadCanceled' | 'error';
  error_details: string | null;
  /** JSON: the file, from when it was taken until it belongs to a release or is gone. */
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

/** What an app on a device shows to be told of what its tester can install. */
export interface UpdateTokensTable {
  hash: string;
  id: string;
  app_id: string;
  user_id: string;
  platform: string;
  created_at: number;
}

/** Who installed a release, by which group; empty if by none. */
export interface ReleaseInstallsTable {
  app_id: string;
  release_id: number;
  group_id: string;
  installer: string;
  count: number;
  /** Time of the last install. 0 in rows of earlier versions, until the next sweep. */
  noted_at: number;
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

/** A store that releases of an app are published in. */
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
  /** JSON: of Intune, for whom the app is and under what it is listed. */
  details: string | null;
}

export interface ReleaseStoresTable {
  app_id: string;
  release_id: number;
  store_id: string;
  status: string;
  /** Changes when it is begun anew; of what was handed over, the job of the runner. */
  attempt: string;
  log: string;
  error: string | null;
  added_at: number;
}

/** Which releases stay: of an app, or of the apps of an owner. */
export interface ReleaseRetentionTable {
  id: string;
  keep_last: number | null;
  keep_days: number | null;
  keep_latest: Flag;
}

/** Whether what failed its tests is held back. */
export interface ReleaseGatesTable {
  app_id: string;
  holds_failed: Flag;
}

/** Which app of the App Store an app is, as somebody told. */
export interface AppleMappingsTable {
  app_id: string;
  service_connection_id: string;
  apple_id: string | null;
  bundle_identifier: string | null;
  team_identifier: string;
  /** JSON: the id and name of each. */
  test_flight_groups: string;
}

/** A release that a runner signs anew for more devices; its id is that of the job. */
export interface ReleaseResigningsTable {
  id: string;
  app_id: string;
  release_id: number;
  status: 'submitted' | 'processing' | 'completed' | 'failed';
  error: string | null;
  device_count: number;
  /** JSON: for which devices, until it has ended. */
  udids: string;
  created_at: number;
}

/** What a tester is yet to be told of by mail. */
export interface ReleaseNoticesTable {
  user_id: string;
  app_id: string;
  release_id: number;
}

/** Who wants no mails about releases. */
export interface ReleaseMailRefusalsTable {
  user_id: string;
  refused_at: number;
}

/** Whom a release goes to when its tests have passed. */
export interface HeldReleasesTable {
  app_id: string;
  release_id: number;
  type: 'group' | 'tester' | 'store';
  /** The id of a group or a store, or the e-mail of a tester. */
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
  // What devices are told again and again rests on these.
  releases: { responses: true },
  release_counters: {},
  release_uploads: {},
  release_hashes: {},
  release_groups: { responses: true },
  release_testers: { personal: { by: { user_id: 'userId' } } },
  update_tokens: { personal: { by: { user_id: 'userId' }, secret: ['hash'] } },
  release_installs: {},
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

/** What stores of this domain can name. */
const access = accessTo(releasesTables, uploadsTables, accountsTables, appsTables, appReaders, groupsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;

/** Whether a user is in the group of `release_groups`, or works on the app while the group is that of its collaborators. */
export const isInGroup = (
  eb: ExpressionBuilder<Tables, 'release_groups'>,
  p: { appId: string; userId: string },
): Expression<SqlBool> =>
  eb.or([
    eb.exists(
      eb
        .selectFrom('distribution_group_members')
        .select('distribution_group_members.user_id')
        .whereRef('distribution_group_members.group_id', '=', 'release_groups.group_id')
        .where('distribution_group_members.user_id', '=', p.userId),
    ),
    eb.and([
      eb('release_groups.group_id', '=', p.appId),
      eb.exists(
        eb
          .selectFrom('app_readers')
          .select('app_readers.user_id')
          .where('app_readers.app_id', '=', p.appId)
          .where('app_readers.user_id', '=', p.userId),
      ),
    ]),
  ]);
