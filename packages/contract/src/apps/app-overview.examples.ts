import type { EndpointExamples } from '../endpoint/example.ts';

export const appOverviewExamples = {
  apps_getOverview: {
    params: { owner_name: 'ada', app_name: 'compass' },
    response: {
      attention: [
        {
          kind: 'failed_build',
          level: 'urgent',
          count: 1,
          name: 'main',
          path: { build_id: '7' },
          at: '2026-11-01T09:00:00.000Z',
        },
        { kind: 'open_crashes', level: 'warning', count: 2 },
      ],
      member_count: 3,
      group_count: 2,
      token_count: 1,
      latest_release: { id: 1, short_version: '1.2.3', version: '42', uploaded_at: '2026-11-01T09:00:00.000Z' },
      builds: [
        {
          id: 7,
          branch: 'main',
          status: 'completed',
          result: 'failed',
          queued_at: '2026-11-01T09:00:00.000Z',
        },
      ],
      test_runs: [
        {
          id: '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d7',
          series: 'nightly',
          status: 'finished',
          result: 'passed',
          passed: 12,
          failed: 0,
          created_at: '2026-11-01T09:00:00.000Z',
        },
      ],
      deployments: [{ name: 'Production', latest_label: 'v3', latest_active: 80, active: 100 }],
    },
  },
} satisfies EndpointExamples<typeof import('./app-overview.contract.ts')>;
