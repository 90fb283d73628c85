import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { AppGroupPath } from '../groups/groups.contract.ts';
import { Type } from '../type.ts';

export const RELEASE_NOTES_MAX = 5000;

export const ReleaseId = Type.String({
  pattern: '^([1-9][0-9]{0,8})$',
  description: 'The number of the release in its app.',
});
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
  { $id: 'ReleaseBuild', description: 'The commit that the release was built from.' },
);

const ReleaseGroup = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  is_latest: Type.Optional(Type.Boolean({ description: 'True if the destination has no newer enabled release.' })),
  is_public: Type.Optional(Type.Boolean()),
  origin: Origin,
  display_name: Type.Optional(Type.String()),
});
const ReleaseStore = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  type: StoreType,
  publishing_status: Type.Optional(Type.String({ description: 'submitted, processing, published or failed.' })),
  is_latest: Type.Optional(Type.Boolean({ description: 'True if the destination has no newer enabled release.' })),
});
const ReleaseDestination = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(Type.String()),
    destination_type: DestinationType,
    display_name: Type.Optional(Type.String()),
    type: StoreType,
    publishing_status: Type.Optional(Type.String({ description: 'submitted, processing, published or failed.' })),
    is_latest: Type.Optional(Type.Boolean({ description: 'True if the destination has no newer enabled release.' })),
    mandatory_update: Type.Optional(Type.Boolean({ description: 'True if apps with the SDK require this update.' })),
  },
  { $id: 'ReleaseDestination' },
);

const basics = {
  id: Type.Integer({ description: 'The number of the release in its app.' }),
  version: Type.String({ description: 'The number that grows with every build: version code or build number.' }),
  origin: Origin,
  short_version: Type.String({ description: 'The version that users see.' }),
  enabled: Type.Boolean({ description: 'False if the release cannot be installed.' }),
  uploaded_at: Time,
  is_external_build: Type.Optional(Type.Boolean({ description: 'Always false: Mooring stores every package.' })),
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
    file_extension: Type.Optional(Type.String({ description: 'The last part of the extension, such as apk or zip.' })),
    release_notes: Type.Optional(Type.String({ description: 'Markdown.' })),
    download_count: Type.Optional(Type.Integer({ description: 'The number of downloads. Mooring only.' })),
    icon_url: Type.Optional(Type.String({ description: 'The icon in the package. Mooring only.' })),
  },
  { $id: 'BasicRelease' },
);

const GroupRelease = Type.Object(
  { ...basics, mandatory_update: Type.Boolean({ description: 'True if apps with the SDK require this update.' }) },
  { $id: 'GroupRelease' },
);

export const ReleaseDetails = Type.Object(
  {
    ...basics,
    app_name: Type.String(),
    app_display_name: Type.String(),
    app_os: Type.Optional(Type.String()),
    owner: Type.Optional(Type.Object({ name: Type.String(), display_name: Type.String() })),
    release_notes: Type.Optional(Type.String({ description: 'Markdown.' })),
    release_notes_url: Type.Optional(Type.String()),
    provisioning_profile_name: Type.Optional(Type.String()),
    provisioning_profile_type: Type.Optional(Type.Enum(['adhoc', 'enterprise', 'other'])),
    provisioning_profile_expiry_date: Type.Optional(Time),
    is_provisioning_profile_syncing: Type.Optional(Type.Boolean()),
    size: Type.Integer({ description: 'The size in bytes.' }),
    min_os: Type.Optional(
      Type.String({ description: 'The oldest version of the operating system that can install the release.' }),
    ),
    device_family: Type.Optional(Type.String()),
    android_min_api_level: Type.Optional(
      Type.String({ description: 'The lowest API level of Android that can install the release.' }),
    ),
    bundle_identifier: Type.Optional(Type.String({ description: 'The bundle ID or package name of the app.' })),
    package_hashes: Type.Array(Type.String(), {
      description: 'Hashes of the installed package, as SDKs compute them.',
    }),
    fingerprint: Type.String({ description: 'The SHA-256 of the file.' }),
    download_url: Type.Optional(Type.String({ description: 'Expires.' })),
    app_icon_url: Type.String(),
    install_url: Type.Optional(Type.String({ description: 'The URL that a device opens to install the release.' })),
    install_page_url: Type.Optional(
      Type.String({ description: 'A page to install the release from without signing in. Expires. Mooring only.' }),
    ),
    destination_type: DestinationType,
    distribution_groups: Type.Optional(Type.Array(ReleaseGroup)),
    distribution_stores: Type.Optional(Type.Array(ReleaseStore)),
    destinations: Type.Optional(Type.Array(ReleaseDestination)),
    distribution_group_id: Type.Optional(Type.String()),
    is_udid_provisioned: Type.Optional(
      Type.Boolean({ description: 'True if the device in the request is in the provisioning profile.' }),
    ),
    can_resign: Type.Optional(
      Type.Boolean({ description: 'True if a runner can sign the release again for more devices.' }),
    ),
    build: Type.Optional(Build),
    status: Type.Optional(Type.Enum(['available', 'unavailable'])),
    mandatory_update: Type.Optional(Type.Boolean({ description: 'True if apps with the SDK require this update.' })),
    is_latest: Type.Optional(Type.Boolean({ description: 'True if the destination has no newer enabled release.' })),
    fileExtension: Type.Optional(Type.String({ description: 'SDKs for Android require this spelling.' })),
    architectures: Type.Optional(Type.Array(Type.String())),
    permissions: Type.Optional(
      Type.Array(Type.String(), { description: 'The permissions that an Android app requests.' }),
    ),
    certificate_fingerprint: Type.Optional(
      Type.String({ description: 'The SHA-256 of the signing certificate of an Android app.' }),
    ),
    download_count: Type.Optional(Type.Integer()),
  },
  { $id: 'ReleaseDetails' },
);

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const ofApp = '/v0.1/apps/{owner_name}/{app_name}';
const seen = 'Testers see the releases distributed to them. All other users with access to the app see all.';

export const releases_list = endpoint({
  ...common,
  id: 'releases_list',
  method: 'GET',
  path: `${ofApp}/releases`,
  summary: 'List the releases of an app',
  description: seen,
  access: 'app:tester',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object({
    published_only: Type.Optional(Type.Boolean({ description: 'Only releases that were distributed.' })),
    scope: Type.Optional(Type.String({ description: '`tester`: only releases distributed to the caller.' })),
  }),
  response: json(Type.Array(BasicRelease), { description: 'The releases, newest first.' }),
});

export const releases_listLatest = endpoint({
  ...common,
  id: 'releases_listLatest',
  method: 'GET',
  path: `${ofApp}/recent_releases`,
  summary: 'List the latest release of every distribution group',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(BasicRelease), { description: 'The releases, newest first.' }),
});

export const releases_availableToTester = endpoint({
  ...common,
  id: 'releases_availableToTester',
  method: 'GET',
  path: `${ofApp}/releases/filter_by_tester`,
  summary: 'List the releases that were distributed to the caller',
  access: 'app:tester',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object({ published_only: Type.Optional(Type.Boolean()) }),
  response: json(Type.Array(BasicRelease), { description: 'The releases, newest first.' }),
});

export const releases_getLatestByUser = endpoint({
  ...common,
  id: 'releases_getLatestByUser',
  method: 'GET',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Get a release, or the latest one that the caller can install',
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
  summary: 'Update the release notes, or enable or disable a release',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  request: json(
    Type.Object({
      enabled: Type.Optional(Type.Boolean({ description: 'False if the release cannot be installed.' })),
      release_notes: Type.Optional(Notes),
      build: Type.Optional(Build),
      uploaded_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'For a release imported from another server: when it was uploaded there. Not in the future.',
        }),
      ),
    }),
  ),
  response: json(
    Type.Object({
      enabled: Type.Boolean({ description: 'False if the release cannot be installed.' }),
      release_notes: Type.Optional(Type.String({ description: 'Markdown.' })),
      destinations: Type.Array(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
    }),
    { description: 'The updated release.' },
  ),
});

const Signature = Type.String({ maxLength: 500, pattern: '^[A-Za-z0-9+/=_-]*$' });

export const releases_update = endpoint({
  ...common,
  id: 'releases_update',
  method: 'PATCH',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Distribute a release to groups, testers or stores, with release notes',
  description:
    'Name a destination by its ID or name: the name of a group or store, or the email of a tester. Stores are used only if destination_type says so; it applies to destination_id, destination_name and destinations.',
  access: 'app:developer',
  effect: 'change',
  tokenAction: 'distribute',
  params: Type.Object(ReleasePath),
  request: json(
    Type.Object({
      distribution_group_name: Type.Optional(Type.String({ maxLength: 128 })),
      distribution_group_id: Type.Optional(Type.String({ maxLength: 100 })),
      destination_name: Type.Optional(Type.String({ maxLength: 254 })),
      destination_id: Type.Optional(Type.String({ maxLength: 100 })),
      destination_type: DestinationType,
      release_notes: Type.Optional(Notes),
      mandatory_update: Type.Optional(Type.Boolean({ description: 'True if apps with the SDK require this update.' })),
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
  response: json(Type.Object({ release_notes: Type.Optional(Type.String({ description: 'Markdown.' })) }), {
    description: 'The release is distributed.',
  }),
  errors: [404, 409],
});

export const releases_delete = endpoint({
  ...common,
  id: 'releases_delete',
  method: 'DELETE',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Delete a release and its file',
  description:
    "If the file can't be deleted now, the error code is partially_deleted: the release is deleted, and its file will be deleted later.",
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  response: empty({ status: 200, description: 'Deleted.' }),
  errors: [404, 409],
});

export const releases_listByDistributionGroup = endpoint({
  ...common,
  id: 'releases_listByDistributionGroup',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases`,
  summary: 'List the releases that were distributed to a distribution group',
  access: 'groupReleases',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  response: json(Type.Array(GroupRelease), { description: 'The releases, newest first.' }),
});

export const releases_getLatestByDistributionGroup = endpoint({
  ...common,
  id: 'releases_getLatestByDistributionGroup',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases/{release_id}`,
  summary: 'Get a release of a distribution group, or its latest one',
  description: 'Public groups require no credential.',
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
  summary: 'Remove a distribution group from a release',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({ ...AppGroupPath, release_id: ReleaseId }),
  response: empty({ status: 200, description: 'The group no longer has the release.' }),
});

export const releases_listTesterApps = endpoint({
  ...common,
  id: 'releases_listTesterApps',
  method: 'GET',
  path: '/v0.1/tester/apps',
  summary: 'List the apps with releases that the caller can install',
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
          mandatory_update: Type.Boolean({ description: 'True if apps with the SDK require this update.' }),
          size: Type.Integer(),
          install_url: Type.Optional(Type.String()),
          release_notes: Type.Optional(Type.String({ description: 'Markdown.' })),
        }),
      }),
    ),
    { description: 'The apps, sorted by name, with the latest release of each.' },
  ),
});

export const provisioning_profile = endpoint({
  ...common,
  id: 'provisioning_profile',
  method: 'GET',
  path: `${ofApp}/releases/{release_id}/provisioning_profile`,
  summary: 'Get the provisioning profile of an iOS release',
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
