import type { EndpointExamples } from '../endpoint/example.ts';

const figures = {
  storage_bytes: 48_123_456,
  devices: 1203,
  sessions: 20_412,
  events: 913_000,
  build_minutes: 95,
  test_minutes: 12,
  attachments_left_out: 0,
};
const period = {
  startTime: '2026-11-01T00:00:00.000Z',
  endTime: '2026-12-01T00:00:00.000Z',
  byAccount: figures,
  byApp: { 'ada/compass': figures },
};
const usage = {
  version: '1',
  timestamp: '2026-11-01T09:00:00.000Z',
  id: '0192f3d0-0000-7000-8000-000000000041',
  usage: {
    buildService: {
      currentUsagePeriod: {
        ...period,
        byAccount: { build_minutes: 95 },
        byApp: { 'ada/compass': { build_minutes: 95 } },
      },
    },
    testService: {
      currentUsagePeriod: {
        ...period,
        byAccount: { test_minutes: 12 },
        byApp: { 'ada/compass': { test_minutes: 12 } },
      },
    },
    allServices: { currentUsagePeriod: period },
  },
  azureSubscriptionState: 'NotSet',
} as const;
const query = { period: 'Current' } as const;
const owner = { name: 'lighthouse' };
const account = {
  ...owner,
  kind: 'org',
  quotas: { storage_bytes: 10_000_000_000 },
  used: { storage_bytes: 48_123_456, build_minutes: 95 },
} as const;

export const usageExamples = {
  billingAggregatedInformation_getByApp: {
    params: { owner_name: 'ada', app_name: 'compass' },
    query,
    response: usage,
  },
  billingAggregatedInformation_getForOrg: { params: { org_name: 'lighthouse' }, query, response: usage },
  billingAggregatedInformation_getAll: { query, response: { aggregatedBillings: usage } },
  Users_getUserMetadata: { response: {} },
  adminQuotas_list: { query: { limit: 50 }, response: { values: [account] } },
  adminQuotas_get: { params: owner, response: account },
  adminQuotas_set: {
    params: owner,
    body: { storage_bytes: 10_000_000_000 },
    response: { storage_bytes: 10_000_000_000 },
  },
} satisfies EndpointExamples<typeof import('./usage.contract.ts')>;
