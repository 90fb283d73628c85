import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { AppGroupPath } from '../groups/groups.contract.ts';
import { Type } from '../type.ts';

export const RELEASE_NOTES_MAX = 5000;

export const ReleaseId = Type.String({ pattern: '^([1-9][0-9]{0,8})$', description: 'A number.' });
const ReleaseIdOrLatest = Type.String({
  pattern: '^([1-9][0-9]{0,8}|latest)$',
  description: 'A number, or latest.',
});
export const ReleasePath = { ...AppPath, release_id: ReleaseId };

const Origin = Type.Optional(Type.Enum(['appcenter', 'hockeyapp']));
const DestinationType = Type.Optional(Type.Enum(['group', 'store', 'tester']));
const StoreType = Type.Optional(Type.Enum(['intune', 'googleplay', 'apple', 'none']));

const Build = Type.Object(
  {
    branch_name: Type.Optional(Type.String({ maxLength: 500 })),
    commit_hash: Type.Optional(Type.String({ maxLength: 100 })),
    commit_message: Type.Optional(Type.String({ maxLength: 5000 })),
  },
  { $id: 'ReleaseBuild', description: 'From which commit it was built.' },
);

const ReleaseGroup = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  is_latest: Type.Optional(Type.Boolean()),
  is_public: Type.Optional(Type.Boolean()),
  origin: Origin,
  display_name: Type.Optional(Type.String()),
});
const ReleaseStore = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  type: StoreType,
  publishing_status: Type.Optional(Type.String()),
  is_latest: Type.Optional(Type.Boolean()),
});
const ReleaseDestination = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(Type.String()),
    destination_type: DestinationType,
    display_name: Type.Optional(Type.String()),
    type: StoreType,
    publishing_status: Type.Optional(Type.String()),
    is_latest: Type.Optional(Type.Boolean({ description: 'No newer enabled release was given to it.' })),
    mandatory_update: Type.Optional(Type.Boolean()),
  },
  { $id: 'ReleaseDestination' },
);

const basics = {
  id: Type.Integer({ description: 'Counts the releases of the app.' }),
  version: Type.String({ description: 'The number that grows with every build: version code or build.' }),
  origin: Origin,
  short_version: Type.String({ description: 'The version that people read.' }),
  enabled: Type.Boolean(),
  uploaded_at: Time,
  is_external_build: Type.Optional(Type.Boolean()),
};

export const BasicRelease = Type.Object(
  {
    ...basics,
    destination_type: DestinationType,
    distribution_groups: Type.Optional(Type.Array(ReleaseGroup)),
    distribution_stores: Type.Optional(Type.Array(ReleaseStore)),
    destinations: Type.Optional(Type.Array(ReleaseDestination)),
    build: Type.Optional(Build),
    size: Type.Optional(Type.Integer()),
    file_extension: Type.Optional(Type.String()),
    release_notes: Type.Optional(Type.String()),
    download_count: Type.Optional(Type.Integer({ description: 'How often it was downloaded; ours.' })),
    icon_url: Type.Optional(Type.String({ description: 'The icon in the package; ours.' })),
  },
  { $id: 'BasicRelease' },
);

const GroupRelease = Type.Object({ ...basics, mandatory_update: Type.Boolean() }, { $id: 'GroupRelease' });

export const ReleaseDetails = Type.Object(
  {
    ...basics,
    app_name: Type.String(),
    app_display_name: Type.String(),
    app_os: Type.Optional(Type.String()),
    owner: Type.Optional(Type.Object({ name: Type.String(), display_name: Type.String() })),
    release_notes: Type.Optional(Type.String()),
    release_notes_url: Type.Optional(Type.String()),
    provisioning_profile_name: Type.Optional(Type.String()),
    provisioning_profile_type: Type.Optional(Type.Enum(['adhoc', 'enterprise', 'other'])),
    provisioning_profile_expiry_date: Type.Optional(Time),
    is_provisioning_profile_syncing: Type.Optional(Type.Boolean()),
    size: Type.Integer({ description: 'In bytes.' }),
    min_os: Type.Optional(Type.String()),
    device_family: Type.Optional(Type.String()),
    android_min_api_level: Type.Optional(Type.String()),
    bundle_identifier: Type.Optional(Type.String()),
    package_hashes: Type.Array(Type.String(), { description: 'As SDKs compute them of what is installed.' }),
    fingerprint: Type.String({ description: 'SHA-256 of the file.' }),
    download_url: Type.Optional(Type.String({ description: 'Works for a while.' })),
    app_icon_url: Type.String(),
    install_url: Type.Optional(Type.String({ description: 'What a device opens to install it.' })),
    install_page_url: Type.Optional(
      Type.String({ description: 'A page from which it is installed without signing in; works for a while. Ours.' }),
    ),
    destination_type: DestinationType,
    distribution_groups: Type.Optional(Type.Array(ReleaseGroup)),
    distribution_stores: Type.Optional(Type.Array(ReleaseStore)),
    destinations: Type.Optional(Type.Array(ReleaseDestination)),
    distribution_group_id: Type.Optional(Type.String()),
    is_udid_provisioned: Type.Optional(Type.Boolean()),
    can_resign: Type.Optional(Type.Boolean()),
    build: Type.Optional(Build),
    status: Type.Optional(Type.Enum(['available', 'unavailable'])),
    mandatory_update: Type.Optional(Type.Boolean()),
    is_latest: Type.Optional(Type.Boolean()),
    fileExtension: Type.Optional(Type.String({ description: 'In this spelling: SDKs for Android look for it.' })),
    architectures: Type.Optional(Type.Array(Type.String())),
    permissions: Type.Optional(Type.Array(Type.String(), { description: 'What an Android app asks for.' })),
    certificate_fingerprint: Type.Optional(
      Type.String({ description: 'SHA-256 of what an Android app is signed with.' }),
    ),
    download_count: Type.Optional(Type.Integer()),
  },
  { $id: 'ReleaseDetails' },
);

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const ofApp = '/v0.1/apps/{owner_name}/{app_name}';
const seen = 'Testers see what was given to them; everybody else who has access to the app sees all.';

export const releases_list = endpoint({
  ...common,
  id: 'releases_list',
  method: 'GET',
  path: `${ofApp}/releases`,
  summary: 'Lists the releases of an app',
  description: seen,
  access: 'app:tester',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object({
    published_only: Type.Optional(Type.Boolean({ description: 'Only those that were given to somebody.' })),
    scope: Type.Optional(Type.String({ description: 'tester: only what was given to the caller.' })),
  }),
  response: json(Type.Array(BasicRelease), { description: 'The newest first.' }),
});

export const releases_listLatest = endpoint({
  ...common,
  id: 'releases_listLatest',
  method: 'GET',
  path: `${ofApp}/recent_releases`,
  summary: 'Lists the latest release of every distribution group',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(BasicRelease), { description: 'The newest first.' }),
});

export const releases_availableToTester = endpoint({
  ...common,
  id: 'releases_availableToTester',
  method: 'GET',
  path: `${ofApp}/releases/filter_by_tester`,
  summary: 'Lists the releases that were given to the caller',
  access: 'app:tester',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object({ published_only: Type.Optional(Type.Boolean()) }),
  response: json(Type.Array(BasicRelease), { description: 'The newest first.' }),
});

export const releases_getLatestByUser = endpoint({
  ...common,
  id: 'releases_getLatestByUser',
  method: 'GET',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Returns a release, or the latest that the caller can install',
  description: seen,
  access: 'app:tester',
  effect: 'read',
  params: Type.Object({ ...AppPath, release_id: ReleaseIdOrLatest }),
  query: Type.Object({ udid: Type.Optional(Type.String({ maxLength: 100 })) }),
  response: json(ReleaseDetails, { description: 'The release.' }),
});

const Notes = Type.String({ maxLength: RELEASE_NOTES_MAX, description: 'Markdown.' });

export const releases_updateDetails = endpoint({
  ...common,
  id: 'releases_updateDetails',
  method: 'PUT',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Changes the notes of a release, enables or disables it',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  request: json(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      release_notes: Type.Optional(Notes),
      build: Type.Optional(Build),
      uploaded_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'For a release that another server had: when it was uploaded there. Not in the future.',
        }),
      ),
    }),
  ),
  response: json(
    Type.Object({
      enabled: Type.Boolean(),
      release_notes: Type.Optional(Type.String()),
      destinations: Type.Array(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
    }),
    { description: 'The release after the change.' },
  ),
});

const Signature = Type.String({ maxLength: 500, pattern: '^[A-Za-z0-9+/=_-]*$' });

export const releases_update = endpoint({
  ...common,
  id: 'releases_update',
  method: 'PATCH',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Gives a release to groups, testers or stores, with its notes',
  description:
    'A destination is meant by its id, or by its name: that of a group or a store, or the e-mail of a tester. Stores are only meant where destination_type says so, for all of destination_id, destination_name and destinations.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  request: json(
    Type.Object({
      distribution_group_name: Type.Optional(Type.String({ maxLength: 128 })),
      distribution_group_id: Type.Optional(Type.String({ maxLength: 100 })),
      destination_name: Type.Optional(Type.String({ maxLength: 254 })),
      destination_id: Type.Optional(Type.String({ maxLength: 100 })),
      destination_type: DestinationType,
      release_notes: Type.Optional(Notes),
      mandatory_update: Type.Optional(Type.Boolean()),
      destinations: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.Optional(Type.String({ maxLength: 254 })),
            id: Type.Optional(Type.String({ maxLength: 100 })),
          }),
          { maxItems: 100 },
        ),
      ),
      build: Type.Optional(Build),
      notify_testers: Type.Optional(Type.Boolean({ default: true })),
      metadata: Type.Optional(
        Type.Object({ dsa_signature: Type.Optional(Signature), ed_signature: Type.Optional(Signature) }),
      ),
    }),
  ),
  response: json(Type.Object({ release_notes: Type.Optional(Type.String()) }), { description: 'It is done.' }),
  errors: [404, 409],
});

export const releases_delete = endpoint({
  ...common,
  id: 'releases_delete',
  method: 'DELETE',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Deletes a release, and its file',
  description:
    'Where the file cannot be deleted just now the error code is partially_deleted: nobody has the release any more, and its file is deleted later.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  response: empty({ status: 200, description: 'It is gone.' }),
  errors: [404, 409],
});

export const releases_listByDistributionGroup = endpoint({
  ...common,
  id: 'releases_listByDistributionGroup',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases`,
  summary: 'Lists the releases that were given to a distribution group',
  access: 'groupReleases',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  response: json(Type.Array(GroupRelease), { description: 'The newest first.' }),
});

export const releases_getLatestByDistributionGroup = endpoint({
  ...common,
  id: 'releases_getLatestByDistributionGroup',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases/{release_id}`,
  summary: 'Returns a release that was given to a distribution group, or the latest of them',
  description: 'Releases of a public group need no credential.',
  access: 'groupReleases',
  effect: 'read',
  params: Type.Object({ ...AppGroupPath, release_id: ReleaseIdOrLatest }),
  query: Type.Object({ is_install_page: Type.Optional(Type.Boolean()) }),
  response: json(ReleaseDetails, { description: 'The release.' }),
});

export const releases_deleteWithDistributionGroupId = endpoint({
  ...common,
  id: 'releases_deleteWithDistributionGroupId',
  method: 'DELETE',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases/{release_id}`,
  summary: 'Takes a release back from a distribution group',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({ ...AppGroupPath, release_id: ReleaseId }),
  response: empty({ status: 200, description: 'The group no longer has it.' }),
});

export const releases_listTesterApps = endpoint({
  ...common,
  id: 'releases_listTesterApps',
  method: 'GET',
  path: '/v0.1/tester/apps',
  summary: 'Lists the apps of which the caller can install a release',
  access: 'user',
  effect: 'read',
  errors: [],
  response: json(
    Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        display_name: Type.String(),
        description: Type.Optional(Type.String()),
        icon_url: Type.Optional(Type.String()),
        os: Type.String(),
        owner: Type.Object({
          id: Type.String(),
          name: Type.String(),
          display_name: Type.String(),
          avatar_url: Type.Optional(Type.String()),
          type: Type.Enum(['org', 'user']),
        }),
        release: Type.Object({
          ...basics,
          mandatory_update: Type.Boolean(),
          size: Type.Integer(),
          install_url: Type.Optional(Type.String()),
          release_notes: Type.Optional(Type.String()),
        }),
      }),
    ),
    { description: 'By name, each with its latest release.' },
  ),
});

export const provisioning_profile = endpoint({
  ...common,
  id: 'provisioning_profile',
  method: 'GET',
  path: `${ofApp}/releases/{release_id}/provisioning_profile`,
  summary: 'Tells what the provisioning profile in an iOS release says',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ReleasePath),
  response: json(
    Type.Object({
      provisioning_profile_type: Type.Enum(['adhoc', 'enterprise', 'other']),
      udids: Type.Optional(Type.Array(Type.String())),
      provisioning_profile_name: Type.Optional(Type.String()),
      team_identifier: Type.Optional(Type.String()),
      provisioning_bundle_id: Type.Optional(Type.String()),
    }),
    { description: 'The profile.' },
  ),
  errors: [400, 404],
});
