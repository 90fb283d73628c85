import { Group, List, Stack, Text } from '@mantine/core';
import {
  Analytics_DeviceCounts,
  azureSubscription_listForApp,
  codePushDeployments_list,
  crashIssues_list,
} from '@mooring/contract';
import { useAdoption, useVersions } from '../../api/analytics.ts';
import { useDeployments, useExplanation } from '../../api/codepush.ts';
import { useIssues, useStability } from '../../api/crashes.ts';
import { useHealthSince } from '../../api/overview.ts';
import type { ReleaseDetails } from '../../api/releases.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { daysSince, toAsked } from '../analytics/asked-days.ts';
import { inPercent } from '../crashes/issue-words.tsx';
import { Figures } from '../overview/figures.tsx';

const CHART = 200;
/** Each is one more question to the server. */
const DEPLOYMENTS = 5;

/** What became of a release since it was uploaded: who runs it, how stable it is, what lies over and under it. */
export default function ReleaseFate({ release }: { release: ReleaseDetails }) {
  const { may } = useAppHere();
  return (
    <Part title="What became of it" lead="Of this version, on all devices, since it was uploaded; of a year at most.">
      <Stack gap="md">
        {may(crashIssues_list) && may(Analytics_DeviceCounts) && <FateFigures release={release} />}
        {may(Analytics_DeviceCounts) && <AdoptionCurve release={release} />}
        <Origin release={release} />
        {may(codePushDeployments_list) && <OverTheAir version={release.short_version} />}
        {may(azureSubscription_listForApp) && <HealthSince since={release.uploaded_at} />}
      </Stack>
    </Part>
  );
}

const askedSince = ({ uploaded_at }: ReleaseDetails) => {
  const days = daysSince(Date.parse(uploaded_at), Date.now());
  return { asked: toAsked(days, ''), range: `${days.first}..${days.last}` };
};

function FateFigures({ release }: { release: ReleaseDetails }) {
  const { appRef, params } = useAppHere();
  const { short_version: version } = release;
  const { asked, range } = askedSince(release);
  const stability = useStability(appRef, { ...asked, version });
  const issues = useIssues(appRef, { version, kind: 'crash', limit: 100 });
  const versions = useVersions(appRef, asked);
  const filter = { version, range };
  const fresh = issues.data?.filter(({ first_version }) => first_version === version).length;
  const devices = () => {
    const { total = 0, versions: known = [] } = versions.data ?? {};
    const own = known.find((one) => one.version === version)?.count ?? 0;
    return { own, share: total > 0 ? `${inPercent(Math.round((own / total) * 1000) / 10)} of all` : '' };
  };
  /** Where one cannot be read, the others still can. */
  const shown = ({ data, error }: { data: unknown; error: Error | null }, value: () => string | number) =>
    data === undefined ? (error ? '—' : undefined) : value();
  return (
    <Figures
      hasNotes
      figures={[
        {
          label: 'Active devices',
          value: shown(versions, () => devices().own),
          note: versions.data && devices().share,
          to: pathTo('appAnalytics', params, filter),
        },
        {
          label: 'Crash-free devices',
          value: shown(stability, () => inPercent(stability.data?.crash_free_devices ?? 0)),
          to: pathTo('appCrashes', params, filter),
        },
        {
          label: 'Crash-free sessions',
          value: shown(stability, () => inPercent(stability.data?.crash_free_sessions ?? 0)),
          note: stability.data && `${stability.data.crash_count.toLocaleString()} crashes`,
          to: pathTo('appCrashes', params, filter),
        },
        {
          label: 'New problems',
          value: shown(issues, () => `${fresh ?? 0}${issues.hasNextPage ? '+' : ''}`),
          note: 'first seen in this version',
          to: pathTo('appCrashes', params, filter),
        },
        { label: 'Downloads', value: release.download_count ?? 0 },
      ]}
    />
  );
}

function AdoptionCurve({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
  const { asked } = askedSince(release);
  const adoption = useAdoption(appRef, asked, [release.short_version]);
  const daily = (data: NonNullable<typeof adoption.data>) => data[0]?.daily ?? [];
  return (
    <ChartFrame
      title="Adoption"
      lead={`Active devices with ${release.short_version}, by day`}
      reading={adoption}
      height={CHART}
      table={(data) => ({
        head: ['Day', 'Devices'],
        rows: daily(data).map(({ datetime, count }) => [datetime.slice(0, 10), count]),
      })}
    >
      {(data) => (
        <LineChart
          label="Adoption"
          height={CHART}
          times={daily(data).map(({ datetime }) => datetime)}
          series={[{ name: release.short_version, values: daily(data).map(({ count }) => count) }]}
        />
      )}
    </ChartFrame>
  );
}

function Origin({ release: { build } }: { release: ReleaseDetails }) {
  const { params } = useAppHere();
  if (!build?.commit_hash && !build?.branch_name) return null;
  return (
    <Text size="sm">
      Built from{' '}
      {build.branch_name ? (
        <TextLink to={pathTo('appBranch', { ...params, branch: build.branch_name })} size="sm">
          {build.branch_name}
        </TextLink>
      ) : (
        'a branch that is not known'
      )}
      {build.commit_hash && `, commit ${build.commit_hash.slice(0, 12)}`}
      {build.commit_message && `: ${build.commit_message.split('\n')[0]}`}
    </Text>
  );
}

/** What devices with this version get over the air. */
function OverTheAir({ version }: { version: string }) {
  const { appRef } = useAppHere();
  const deployments = useDeployments(appRef);
  if (deployments.data?.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Over-the-air releases on top
      </Text>
      <Loaded reading={deployments}>
        {(all) => (
          <List size="sm" listStyleType="none">
            {all.slice(0, DEPLOYMENTS).map(({ name }) => (
              <OverlaidBy key={name} deployment={name} version={version} />
            ))}
          </List>
        )}
      </Loaded>
    </Stack>
  );
}

function OverlaidBy({ deployment, version }: { deployment: string; version: string }) {
  const { appRef, params } = useAppHere();
  const { data, error } = useExplanation(appRef, deployment, { app_version: version });
  const label = data?.reason === 'update' ? (data.update_info.label ?? 'an update') : undefined;
  return (
    <List.Item>
      <TextLink to={pathTo('appDeployment', { ...params, deployment })} size="sm">
        {deployment}
      </TextLink>
      {label && ` gives it ${label}${data?.rollout ? `, so far to ${data.rollout.percent}%` : ''}`}
      {data && !label && ' has nothing for it'}
      {error && ' cannot tell now'}
    </List.Item>
  );
}

function HealthSince({ since }: { since: string }) {
  const { appRef } = useAppHere();
  const { data } = useHealthSince(appRef, since);
  if (!data || data.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Health events in that time
      </Text>
      <List size="sm" listStyleType="none">
        {data.slice(0, 10).map(({ name, properties }) => (
          <List.Item key={name}>
            <Group gap="xs">
              <TextLink to={pathTo('healthEvent', { trackingId: name })} size="sm">
                {properties.title}
              </TextLink>
              {properties.impactStartTime && (
                <Text span size="xs" c="dimmed">
                  <Time at={properties.impactStartTime} />
                </Text>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
