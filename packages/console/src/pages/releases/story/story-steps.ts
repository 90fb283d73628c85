import type { ReleaseStory } from '../../../api/releases/release-story.ts';
import { formatCount } from '../../../components/text/format-count.ts';
import { type AppParams, pathTo } from '../../../paths.ts';

export type StepState = 'good' | 'bad' | 'busy' | undefined;

/** A step of the strip. A step to another site has `href`, others have `to`. */
export interface Step {
  label: string;
  value: string;
  note?: string | undefined;
  to?: string | undefined;
  href?: string | undefined;
  state?: StepState;
}

/** Where the strip is shown: a step to the same page would be no link. */
export type StoryPlace = 'release' | 'build' | 'test-run' | 'issue';

const DAY = 86_400_000;
const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
export const formatPercent = (value: number): string => `${percent.format(value)}%`;

const getResultState = (result: string): StepState =>
  result === 'succeeded' || result === 'passed'
    ? 'good'
    : result === 'failed' || result === 'error'
      ? 'bad'
      : result === 'none' || result === 'pending'
        ? 'busy'
        : undefined;

const buildResults: Record<string, string> = { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled' };
const testResults: Record<string, string> = {
  passed: 'Passed',
  failed: 'Failed',
  stopped: 'Stopped',
  error: 'Not completed',
};

function getCommitStep({ commit }: ReleaseStory, params: AppParams): Step[] {
  if (!commit) return [];
  const { sha, branch, message, author, url } = commit;
  return [
    {
      label: 'Commit',
      value: sha.slice(0, 8),
      note: [message, author].filter(Boolean).join(' — ') || branch,
      ...(url ? { href: url } : { to: branch && pathTo('appBranch', { ...params, branch }) }),
    },
  ];
}

function getBuildStep({ build }: ReleaseStory, params: AppParams, place: StoryPlace): Step[] {
  if (!build) return [];
  return [
    {
      label: 'Build',
      value: `Build ${build.id}`,
      note: `${buildResults[build.result] ?? 'Running'}, ${build.branch}`,
      to: place === 'build' ? undefined : pathTo('appBuild', { ...params, build: String(build.id) }),
      state: getResultState(build.result),
    },
  ];
}

function getTestStep({ tests = [] }: ReleaseStory, params: AppParams): Step[] {
  const [newest] = tests;
  if (!newest) return [];
  const { id, series, result, passed, failed } = newest;
  return [
    {
      label: 'Tests',
      value: testResults[result] ?? 'Running',
      note: `${passed} passed, ${failed} failed`,
      to: pathTo('appTestRun', { ...params, series: series ?? 'all', run: id }),
      state: getResultState(result),
    },
  ];
}

function getReleaseStep({ release, build }: ReleaseStory, params: AppParams, place: StoryPlace): Step[] {
  if (place === 'release') return [];
  if (!release)
    return build?.result === 'succeeded'
      ? [{ label: 'Release', value: 'Not released', note: 'Distribute the build to create a release' }]
      : [];
  return [
    {
      label: 'Release',
      value: release.short_version,
      note: `Release ${release.id}, build number ${release.version}`,
      to: pathTo('appRelease', { ...params, release: String(release.id) }),
      state: release.enabled ? 'good' : undefined,
    },
  ];
}

function getGroupStep({ destinations, release }: ReleaseStory, params: AppParams): Step[] {
  if (!destinations || !release) return [];
  const { groups, group_count, tester_count, stores } = destinations;
  const [first] = groups;
  const others = [
    group_count > 1 && formatCount(group_count - 1, 'more group'),
    tester_count > 0 && formatCount(tester_count, 'tester'),
    stores.length > 0 && stores.join(', '),
    first?.mandatory_update && 'mandatory',
  ].filter(Boolean);
  if (!first && others.length === 0)
    return [
      {
        label: 'Groups',
        value: 'Not distributed',
        to: pathTo('appRelease', { ...params, release: String(release.id) }, { distribute: '1' }),
      },
    ];
  return [
    {
      label: 'Groups',
      value: first?.display_name ?? formatCount(tester_count, 'tester'),
      note: others.join(', ') || (first?.is_latest ? 'latest release' : 'has a newer release'),
      to: first
        ? pathTo('appGroup', { ...params, group: first.name })
        : pathTo('appRelease', { ...params, release: String(release.id) }),
      state: release.enabled ? 'good' : undefined,
    },
  ];
}

function getHealthSteps({ version, adoption, stability, verdict, days }: ReleaseStory, params: AppParams): Step[] {
  if (!version || !adoption) return [];
  const first = new Date(Date.now() - (days - 1) * DAY).toISOString().slice(0, 10);
  const filter = { version: version.short_version, range: `${first}..${new Date().toISOString().slice(0, 10)}` };
  const state: StepState =
    verdict?.outcome === 'less_healthy' ? 'bad' : verdict?.outcome === 'unknown' ? undefined : 'good';
  return [
    {
      label: 'Adoption',
      value: adoption.devices === 0 ? 'No devices' : formatPercent(adoption.percent),
      note:
        adoption.devices === 0
          ? `in the last ${days} days`
          : `${adoption.devices.toLocaleString()} of ${formatCount(adoption.all_devices, 'device')}`,
      to: pathTo('appAnalytics', params, filter),
      state: adoption.devices > 0 ? 'good' : undefined,
    },
    {
      label: 'Crash-free',
      value: stability ? formatPercent(stability.crash_free_devices) : 'No data',
      note: stability ? `of devices, last ${days} days` : undefined,
      to: pathTo('appCrashes', params, filter),
      state,
    },
  ];
}

function getUpdateStep({ updates = [] }: ReleaseStory, params: AppParams): Step[] {
  // The deployment of most users first.
  const [first, ...others] = updates.toSorted(
    (a, b) => Number(b.deployment === 'Production') - Number(a.deployment === 'Production'),
  );
  if (!first) return [];
  const { deployment, label, rollout } = first;
  return [
    {
      label: 'CodePush updates',
      value: `${label} on ${deployment}`,
      note: [
        rollout === undefined ? 'all devices' : `${rollout}% of devices`,
        ...others.map((one) => `${one.label} on ${one.deployment}`),
      ].join(', '),
      to: pathTo('appDeployment', { ...params, deployment }),
      state: rollout === undefined ? 'good' : 'busy',
    },
  ];
}

/** The known steps of a release, in order. */
export const getSteps = (story: ReleaseStory, params: AppParams, place: StoryPlace): Step[] => [
  ...getCommitStep(story, params),
  ...getBuildStep(story, params, place),
  ...getTestStep(story, params),
  ...getReleaseStep(story, params, place),
  ...getGroupStep(story, params),
  ...getHealthSteps(story, params),
  ...getUpdateStep(story, params),
];

const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const formatPoints = (points: number): string => `${signed.format(points).replace('-', '−')} points`;

/** The verdict in words, split where the previous version is linked. Undefined without enough data. */
export function describeVerdict({ version, verdict }: ReleaseStory): [before: string, after: string] | undefined {
  if (!version || !verdict || verdict.points === undefined) return undefined;
  const { outcome, points } = verdict;
  const name = version.short_version;
  switch (outcome) {
    case 'healthier':
      return [`${name} is healthier than `, `: ${formatPoints(points)}`];
    case 'less_healthy':
      return [`${name} is less healthy than `, `: ${formatPoints(points)}`];
    case 'as_healthy':
      return [`${name} is about as healthy as `, points === 0 ? '' : `: ${formatPoints(points)} may be chance`];
    default:
      return undefined;
  }
}
