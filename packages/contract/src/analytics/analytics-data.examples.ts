import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };

const storage = {
  retention_days: 90,
  server_retention_days: 90,
  max_retention_days: 90,
  is_own: false,
  log_count: 18_100_000,
  bytes: 652_000_000,
  oldest_day: '2026-08-04',
  newest_day: '2026-11-01',
};

export const analyticsDataExamples = {
  analytics_deleteInstall: { params: { ...params, install_id: '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11' } },
  analytics_deleteUser: { params: { ...params, user_id: 'user-4711' } },
  analytics_listDeletions: {
    params,
    response: {
      total: 1,
      values: [
        {
          kind: 'user',
          value: 'user-4711',
          requested_at: '2026-11-01T09:00:00.000Z',
          file_count: 90,
          files_left: 12,
          former_files: 78,
          has_batches: true,
        },
      ],
    },
  },
  analytics_getStorage: { params, response: storage },
  analytics_updateStorage: {
    params,
    body: { retention_days: 60 },
    response: { ...storage, retention_days: 60, is_own: true },
  },
  analytics_limits: {
    params,
    response: {
      limits: [
        { name: 'retention_days', value: 90, setting: 'MOORING_ANALYTICS_RETENTION_DAYS' },
        { name: 'properties_per_event', value: 20, setting: 'MOORING_ANALYTICS_PROPERTIES', exceeded_count: 3 },
      ],
      other_event_name: '(other)',
    },
  },
} satisfies EndpointExamples<typeof import('./analytics-data.contract.ts')>;
