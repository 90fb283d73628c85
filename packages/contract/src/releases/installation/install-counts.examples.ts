import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const group = '9a9486b8-9a75-4882-a817-3eb4c31d6076';

export const installCountsExamples = {
  releases_noteInstalls: {
    params,
    body: { releases: [{ release_id: 1, distribution_group_id: group, user_id: group }] },
  },
  Analytics_DistributionReleaseCounts: {
    params,
    body: { releases: [{ release: '1', distribution_group: group }] },
    response: {
      total: 3,
      counts: [{ release_id: '1', distribution_group: group, unique_count: 2, total_count: 3 }],
    },
  },
} satisfies EndpointExamples<typeof import('./install-counts.contract.ts')>;
