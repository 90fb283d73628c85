import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const [first, second] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
const range = { start: first, end: second };

export const exploreExamples = {
  analytics_breakdown: {
    params,
    query: { ...range, measure: 'events', event: 'checkout', by: 'property:plan', interval: 'PT1H', $top: 5 },
    response: {
      total: 50,
      group_count: 2,
      buckets: [first],
      counts: [50],
      groups: [
        { values: ['pro'], total: 30, counts: [30] },
        { values: ['free'], total: 20, counts: [20] },
      ],
    },
  },
  analytics_funnel: {
    params,
    body: { ...range, steps: [{ event: 'open' }, { event: 'checkout', property: 'plan', value: 'pro' }] },
    response: {
      steps: [
        { event: 'open', device_count: 100, of_first: 1, of_previous: 1 },
        { event: 'checkout', device_count: 25, of_first: 0.25, of_previous: 0.25 },
      ],
    },
  },
  analytics_retention: {
    params,
    query: { ...range, interval: 'P1D' },
    response: {
      cohorts: [
        { datetime: first, device_count: 20, active_counts: [20, 8] },
        { datetime: second, device_count: 12, active_counts: [12] },
      ],
    },
  },
  analytics_sessionPaths: {
    params,
    query: { ...range, length: 3 },
    response: {
      session_count: 300,
      path_count: 41,
      paths: [{ names: ['open', 'Cart', 'checkout'], session_count: 25 }],
    },
  },
  analytics_searchLogs: {
    params,
    query: { ...range, event: 'checkout', property: 'plan', value: 'pro' },
    response: {
      logs: [
        {
          type: 'event',
          timestamp: '2026-11-01T08:59:58.200Z',
          name: 'checkout',
          install_id: '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11',
          device: {
            app_version: '1.4.0',
            app_build: '140',
            country: 'DE',
            model: 'Pixel 7',
            oem_name: 'Google',
            os: 'Android 14',
            language: 'en-US',
            carrier: 'unknown',
          },
          properties: { plan: 'pro' },
        },
      ],
      has_more: false,
    },
  },
} satisfies EndpointExamples<typeof import('./explore.contract.ts')>;
