import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const org = { org_name: 'lighthouse' };
const body = { keep_last: 10, keep_days: 90 };
const release = { id: 1, version: '140', short_version: '1.4.0', size: 1170 };

export const retentionExamples = {
  releaseRetention_get: { params, response: { keep_latest: true, source: 'none' } },
  releaseRetention_set: { params, body, response: { ...body, keep_latest: true, source: 'app' } },
  releaseRetention_preview: { params, body, response: { releases: [release], size: 1170 } },
  orgReleaseRetention_get: { params: org, response: { keep_latest: true, source: 'none' } },
  orgReleaseRetention_set: { params: org, body, response: { ...body, keep_latest: true, source: 'organization' } },
  orgReleaseRetention_preview: { params: org, body, response: { apps: [], size: 0 } },
  releases_deleteMany: { params, body: { release_ids: [1] }, response: { deleted: [1], not_found: [] } },
} satisfies EndpointExamples<typeof import('./retention.contract.ts')>;
