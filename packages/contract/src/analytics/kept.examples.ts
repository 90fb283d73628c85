import type { ExamplesOf } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };

export const keptExamples = {
  analytics_deleteInstall: { params: { ...params, install_id: '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11' } },
  analytics_deleteUser: { params: { ...params, user_id: 'user-4711' } },
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
} satisfies ExamplesOf<typeof import('./kept.contract.ts')>;
