import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_type: 'users' as const, owner_name: 'ada', app_name: 'compass' };
const feedback = {
  params: { app_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9c03', release_id: '1' },
  query: { token: 'mj9w2k5c.Zz9uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZfeB' },
};
const ofGroup = { ...params, distribution_group_name: 'Beta divers' };

export const installPagesExamples = {
  installPages_getHome: {},
  installPages_getSharedGroup: { params: { org_name: 'lighthouse', distribution_group_name: 'Beta divers' } },
  installPages_getManifest: {},
  installPages_getIcon: { params: { size: '192' } },
  installPages_download: {
    params: {
      link: '1.5f0c5d2e9b114d2f8a576f0c5d2e9b67.0195c7e2a4d87b1c9f3e5a6b7c8d9e0f.mk2a7c1s.Zz9uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg',
    },
  },
  installPages_getApp: { params },
  installPages_getRelease: { params: { ...params, release_id: '1' } },
  installPages_getGroup: { params: ofGroup },
  installPages_getGroupRelease: { params: { ...ofGroup, release_id: '1' } },
  installPages_getFeedback: feedback,
  installPages_sendFeedback: {
    ...feedback,
    body: { text: 'The compass points to the south.', name: 'Grace', model: 'Pixel 9' },
  },
  installPages_getLink: {
    params: { link: 'mk2a7c1s.1.5f0c5d2e9b114d2f8a576f0c5d2e9b67.Zz9uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg' },
  },
} satisfies EndpointExamples<typeof import('./install-pages.contract.ts')>;
