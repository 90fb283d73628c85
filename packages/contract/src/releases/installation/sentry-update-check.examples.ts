import type { EndpointExamples } from '../../endpoint/example.ts';

const release = {
  id: '1',
  build_version: '1.4.0',
  build_number: 140,
  download_url: 'https://mooring.example.com/files/compass.apk',
  app_name: 'Compass',
  created_date: '2026-11-01T09:00:00.000Z',
  install_groups: ['Beta divers'],
};

export const sentryUpdateCheckExamples = {
  releases_checkForSentryUpdate: {
    params: { owner_name: 'ada', app_name: 'compass' },
    query: { platform: 'android', build_version: '1.3.0', build_number: '130' },
    response: { update: release },
  },
} satisfies EndpointExamples<typeof import('./sentry-update-check.contract.ts')>;
