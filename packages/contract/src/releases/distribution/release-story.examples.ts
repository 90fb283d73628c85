import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };

export const releaseStoryExamples = {
  releaseStory_get: {
    params,
    query: { release_id: 1 },
    response: {
      release: {
        id: 1,
        short_version: '1.4.0',
        version: '140',
        enabled: true,
        uploaded_at: '2026-09-18T08:00:00.000Z',
      },
      other_releases: [],
      version: { short_version: '1.4.0', version: '140' },
      commit: {
        sha: '5f2d1c8e0b7a4936d1e2f3a4b5c6d7e8f9a0b1c2',
        branch: 'main',
        message: 'Faster compass fix',
        author: 'Ada Lovelace',
        url: 'https://github.com/ada/compass/commit/5f2d1c8e0b7a4936d1e2f3a4b5c6d7e8f9a0b1c2',
      },
      build: {
        id: 1,
        branch: 'main',
        status: 'completed',
        result: 'succeeded',
        finished_at: '2026-09-18T07:58:00.000Z',
      },
      tests: [
        {
          id: '0199c2f4-6b1e-7c3a-9d10-5b8e2f60a7c4',
          series: 'nightly',
          status: 'finished',
          result: 'passed',
          passed: 12,
          failed: 0,
          at: '2026-09-18T08:01:00.000Z',
        },
      ],
      destinations: {
        groups: [{ name: 'Beta divers', display_name: 'Beta divers', is_latest: true, mandatory_update: false }],
        group_count: 1,
        tester_count: 0,
        stores: [],
      },
      adoption: { devices: 412, all_devices: 1030, percent: 40 },
      stability: { crashed_devices: 4, crash_free_devices: 99.03 },
      verdict: {
        outcome: 'healthier',
        points: 2.4,
        previous: {
          short_version: '1.3.0',
          version: '130',
          release_id: 2,
          devices: 560,
          crash_free_devices: 96.6,
        },
      },
      updates: [{ deployment: 'Production', label: 'v3', is_mandatory: false, rollout: 50 }],
      days: 28,
    },
  },
} satisfies EndpointExamples<typeof import('./release-story.contract.ts')>;
