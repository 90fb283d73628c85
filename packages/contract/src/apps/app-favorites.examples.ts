import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const id = '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d7';

export const appFavoritesExamples = {
  appFavorites_add: { params, body: {} },
  appFavorites_remove: { params: { owner_name: 'lighthouse', app_name: 'tide-table' } },
  userApps_listSummaries: {
    query: { ids: id },
    response: {
      values: [
        {
          id,
          latest_release: { id: 1, short_version: '1.2.3', version: '42', uploaded_at: '2026-11-01T09:00:00.000Z' },
          open_crashes: 2,
          alerting_rules: 0,
          active_devices: 1200,
          crash_free_devices: 99.4,
        },
      ],
    },
  },
} satisfies EndpointExamples<typeof import('./app-favorites.contract.ts')>;
