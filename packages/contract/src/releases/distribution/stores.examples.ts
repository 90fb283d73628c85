import type { EndpointExamples } from '../../endpoint/example.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const params = { ...app, store_name: 'Play' };
const ofRelease = { ...params, release_id: '1' };
const id = '3c9486b8-9a75-4882-a817-3eb4c31d6077';
const store = {
  id,
  name: 'Play',
  type: 'googleplay',
  track: 'beta',
  has_credentials: false,
  created_by: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b00',
  created_by_principal_type: 'user',
} as const;
const publishing = { id, name: 'Play', type: 'googleplay', publishing_status: 'submitted', is_latest: true } as const;
const basics = {
  id: 1,
  version: '140',
  short_version: '1.4.0',
  uploaded_at: '2026-11-01T09:00:00.000Z',
  distribution_stores: [publishing],
} as const;
const details = {
  ...basics,
  status: 'available',
  app_name: 'compass',
  app_display_name: 'Needle',
  size: 1170,
  fingerprint: 'f1c5a3c1f0a4d0b5a6c1f5a0d8d1f2a4c6e8b0d2f4a6c8e0b2d4f6a8c0e2b4d6',
} as const;

export const storesExamples = {
  stores_create: {
    params: app,
    body: { type: 'googleplay', name: 'Play alpha', track: 'alpha' },
    response: { ...store, name: 'Play alpha', track: 'alpha' },
  },
  stores_list: { params: app, response: [store] },
  stores_get: { params, response: store },
  stores_patch: { params, body: { service_connection_id: '0d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b03' } },
  stores_setCredentials: {
    params,
    body: {
      service_account: {
        client_email: 'publisher@example.iam.gserviceaccount.com',
        private_key:
          '-----BEGIN PRIVATE KEY-----\nMIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEAt9PPaQ6Xe0OxeYfY\nDrvkt6svc3Pp8IkZtYPWXRHy+RlEg0/MTxIPaIoqNWeMXIUOmEp6PAPu/sueuT29\n6jIIUwIDAQABAkB6E51PxTLv1vqLHJ1s23Z+Sp6Oa1HWPRXnpw+6ausSZIcUT4kI\nmVOEo1IgIrMn/abAEXU/WWK6omq5MjBJYPyxAiEA3pUKZkHH2LQeUSdTx/f6SkqZ\ntzBxxbm5R7EHaMytcUUCIQDTbTnxtx2CWTt4GRJlGVQ5SbmHvL9PxhghuBrLrVbQ\ntwIgA2A7UiW5RD4nH4/7I1NNhobvIeooL5mLh9zVge9oygkCIQCxQMFzhLGYtnbF\nGT/ywml6HfUNd5BssQdKPa85UvmVwQIga0eMRkdAti511B1oaZlXbtxtBlJ+vHlm\n4Yk2bODpkfA=\n-----END PRIVATE KEY-----',
      },
    },
  },
  stores_delete: { params },
  storeNotifications_getNotificationByAppId: { params: app, response: {} },
  storeReleases_getLatest: { params, response: [details] },
  storeReleases_list: { params, response: [{ ...basics, destination_type: 'store' }] },
  storeReleases_get: { params: ofRelease, response: [details] },
  storeReleases_delete: { params: ofRelease },
  storeReleases_getPublishError: { params: ofRelease, response: { is_log_available: false } },
  storeReleasePublishLogs_get: { params: ofRelease },
  storeReleases_getRealTimeStatusByReleaseId: {
    params: ofRelease,
    response: {
      release_id: '1',
      app_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b66',
      status: { status: 'submitted', storetype: 'googleplay', track: 'beta', version: '140' },
    },
  },
  releases_addStore: { params: { ...app, release_id: '1' }, body: { id }, response: { id } },
  releases_deleteDistributionStore: { params: { ...app, release_id: '1', store_id: id } },
} satisfies EndpointExamples<typeof import('./stores.contract.ts')>;
