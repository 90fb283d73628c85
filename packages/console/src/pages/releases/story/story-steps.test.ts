import { expect, test } from 'vitest';
import type { ReleaseStory } from '../../../api/releases/release-story.ts';
import { describeVerdict, getSteps } from './story-steps.ts';

const params = { owners: 'users', owner: 'ada', app: 'compass' };
const version = { short_version: '1.1.0', version: '110' };
const empty: ReleaseStory = { other_releases: [], days: 28 };
const previous = { short_version: '1.0.2', version: '102', devices: 100, crash_free_devices: 90 };
const withVerdict = (verdict: ReleaseStory['verdict']): ReleaseStory => ({ ...empty, version, verdict });
const formatVerdict = (story: ReleaseStory) => describeVerdict(story)?.join('1.0.2');

test('the verdict says by how much, and says nothing without enough data', () => {
  expect(formatVerdict(withVerdict({ outcome: 'healthier', points: 2.4, previous }))).toBe(
    '1.1.0 is healthier than 1.0.2: +2.4 points',
  );
  expect(formatVerdict(withVerdict({ outcome: 'less_healthy', points: -2, previous }))).toBe(
    '1.1.0 is less healthy than 1.0.2: −2 points',
  );
  expect(formatVerdict(withVerdict({ outcome: 'as_healthy', points: 0, previous }))).toBe(
    '1.1.0 is about as healthy as 1.0.2',
  );
  expect(formatVerdict(withVerdict({ outcome: 'unknown', previous }))).toBeUndefined();
  expect(formatVerdict(empty)).toBeUndefined();
});

test('steps follow the release, unknown ones are left out, and each links to its page', () => {
  const labels = (story: ReleaseStory, place: 'release' | 'build' = 'release') =>
    getSteps(story, params, place).map(({ label }) => label);
  expect(labels(empty)).toEqual([]);
  const build = { id: 7, branch: 'main', status: 'completed', result: 'succeeded' };
  expect(labels({ ...empty, build }, 'build')).toEqual(['Build', 'Release']);
  expect(labels({ ...empty, build: { ...build, result: 'failed' } }, 'build')).toEqual(['Build']);
  const story: ReleaseStory = {
    ...empty,
    version,
    commit: { sha: 'a'.repeat(40), branch: 'main', url: 'https://git.example.com/a' },
    build,
    tests: [{ id: 'run', status: 'finished', result: 'failed', passed: 3, failed: 1, at: '2026-01-01T00:00:00Z' }],
    release: { id: 4, ...version, enabled: true, uploaded_at: '2026-01-01T00:00:00Z' },
    destinations: { groups: [], group_count: 0, tester_count: 0, stores: [] },
    adoption: { devices: 40, all_devices: 100, percent: 40 },
    stability: { crashed_devices: 1, crash_free_devices: 97.5 },
    updates: [
      { deployment: 'Beta', label: 'v9', is_mandatory: false },
      { deployment: 'Production', label: 'v3', is_mandatory: false, rollout: 50 },
    ],
  };
  expect(labels(story, 'build')).toEqual([
    'Commit',
    'Build',
    'Tests',
    'Release',
    'Groups',
    'Adoption',
    'Crash-free',
    'CodePush updates',
  ]);
  const steps = getSteps(story, params, 'release');
  expect(steps.every(({ to, href }) => to !== undefined || href !== undefined)).toBe(true);
  expect(steps.find(({ label }) => label === 'Tests')).toMatchObject({ value: 'Failed', state: 'bad' });
  expect(steps.find(({ label }) => label === 'CodePush updates')).toMatchObject({
    value: 'v3 on Production',
    note: '50% of devices, v9 on Beta',
  });
});
