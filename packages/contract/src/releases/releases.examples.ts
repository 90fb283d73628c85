import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const release = { ...params, release_id: '1' };
const ofGroup = { ...params, distribution_group_name: 'Beta divers' };
const group = { id: '9a9486b8-9a75-4882-a817-3eb4c31d6076', name: 'Beta divers' };
const at = '2026-11-01T09:00:00.000Z';
const basics = {
  id: 1,
  version: '140',
  origin: 'appcenter',
  short_version: '1.4.0',
  enabled: true,
  uploaded_at: at,
  is_external_build: false,
} as const;
const destinations = {
  destination_type: 'group',
  distribution_groups: [{ ...group, is_latest: true, is_public: true }],
  distribution_stores: [],
  destinations: [{ ...group, destination_type: 'group', is_latest: true, mandatory_update: false }],
} as const;
const listed = { ...basics, ...destinations, size: 1170, file_extension: 'apk', download_count: 12 };
const downloadUrl = 'https://mooring.example.com/files/mj9w2k5c.dXBsb2Fkcy9jb21wYXNz.Yk3uQ0bUu/compass-1.4.0.apk';
const hash = 'f1c5a3c1f0a4d0b5a6c1f5a0d8d1f2a4c6e8b0d2f4a6c8e0b2d4f6a8c0e2b4d6';

const details = {
  ...basics,
  app_name: 'compass',
  app_display_name: 'Needle',
  app_os: 'Android',
  owner: { name: 'ada', display_name: 'Ada Lovelace' },
  release_notes: '- Faster compass fix',
  size: 1170,
  min_os: '8.0',
  android_min_api_level: '26',
  bundle_identifier: 'com.example.compass',
  package_hashes: [hash],
  fingerprint: hash,
  download_url: downloadUrl,
  app_icon_url: 'https://mooring.example.com/avatars/3xampleXexampleXexampleXexampleX.png',
  install_url: downloadUrl,
  ...destinations,
  distribution_group_id: group.id,
  status: 'available',
  mandatory_update: false,
  is_latest: true,
  fileExtension: 'apk',
  permissions: ['android.permission.INTERNET'],
  download_count: 12,
} as const;

export const releasesExamples = {
  releases_list: { params, query: {}, response: [listed] },
  releases_listLatest: { params, response: [listed] },
  releases_availableToTester: { params, query: {}, response: [listed] },
  releases_getLatestByUser: { params: release, query: {}, response: details },
  releases_updateDetails: {
    params: release,
    body: { release_notes: '- Faster compass fix', enabled: true },
    response: { enabled: true, release_notes: '- Faster compass fix', destinations: [group] },
  },
  releases_update: {
    params: release,
    body: { release_notes: '- Faster compass fix', destinations: [{ name: 'Beta divers' }], notify_testers: false },
    response: { release_notes: '- Faster compass fix' },
  },
  releases_delete: { params: release },
  releases_listByDistributionGroup: { params: ofGroup, response: [{ ...basics, mandatory_update: false }] },
  releases_getLatestByDistributionGroup: {
    params: { ...ofGroup, release_id: 'latest' },
    query: {},
    response: details,
  },
  releases_deleteWithDistributionGroupId: { params: { ...ofGroup, release_id: '1' } },
  releases_listTesterApps: {
    response: [
      {
        id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b66',
        name: 'compass',
        display_name: 'Needle',
        os: 'Android',
        owner: {
          id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b00',
          name: 'ada',
          display_name: 'Ada Lovelace',
          type: 'user',
        },
        release: { ...basics, mandatory_update: false, size: 1170, install_url: downloadUrl },
      },
    ],
  },
  provisioning_profile: {
    params: { owner_name: 'lighthouse', app_name: 'tide-table', release_id: '1' },
    response: {
      provisioning_profile_type: 'adhoc',
      udids: ['00008030-000A1B2C3D4E5F60'],
      provisioning_profile_name: 'Tides Ad Hoc',
      team_identifier: 'ABCDE12345',
      provisioning_bundle_id: 'com.example.tides',
    },
  },
} satisfies EndpointExamples<typeof import('./releases.contract.ts')>;
