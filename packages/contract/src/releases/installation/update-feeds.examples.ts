import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass', distribution_group_name: 'Beta divers' };

export const updateFeedsExamples = {
  releases_getSparkleFeed: { params: { app_secret: '8d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b77' } },
  releases_getAppcast: { params },
  releases_getAppInstaller: {
    params: { owner_name: 'ada', app_name: 'harbour', distribution_group_name: 'Desks' },
  },
} satisfies EndpointExamples<typeof import('./update-feeds.contract.ts')>;
