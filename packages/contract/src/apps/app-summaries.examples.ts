import type { EndpointExamples } from '../endpoint/example.ts';

export const appSummariesExamples = {
  apps_listGlances: {
    params: { org_name: 'lighthouse' },
    response: {
      values: [
        {
          id: '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d7',
          name: 'tide-table',
          display_name: 'Tide Table',
          os: 'iOS',
          updated_at: '2026-11-01T09:00:00.000Z',
          latest_release: { id: 1, short_version: '1.2.3', version: '42', uploaded_at: '2026-11-01T09:00:00.000Z' },
          last_build: {
            id: 7,
            branch: 'main',
            status: 'completed',
            result: 'succeeded',
            queued_at: '2026-11-01T09:00:00.000Z',
          },
          open_crashes: 2,
          alerting_rules: 0,
        },
      ],
    },
  },
} satisfies EndpointExamples<typeof import('./app-summaries.contract.ts')>;
