import type { EndpointExamples } from '../../endpoint/example.ts';
import { releasesExamples } from '../releases.examples.ts';

const params = { app_secret: '8d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b77' };
const group = '9a9486b8-9a75-4882-a817-3eb4c31d6076';
const hash = 'f00d3a9be4c1d27785b4b5a5f0c6e1d2c3b4a5968778695a4b3c2d1e0f9a8b7c';
const { response } = releasesExamples.releases_getLatestByDistributionGroup;

export const inAppUpdatesExamples = {
  releases_getLatestPublicRelease: { params, query: { release_hash: hash }, response },
  releases_getLatestPublicReleaseOfGroup: {
    params: { ...params, distribution_group_id: group },
    query: { release_hash: hash },
    response,
  },
  releases_listPublicGroupsOfRelease: { params: { ...params, release_hash: hash }, response: [{ id: group }] },
  releases_getLatestByHash: { params: { ...params, release_hash: 'latest' }, query: {}, response },
  releases_getIosManifest: {
    params: { app_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b67', release_id: '1' },
    query: { token: 'mj9w2k5c.Zz9uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg' },
  },
} satisfies EndpointExamples<typeof import('./in-app-updates.contract.ts')>;
