import { Group, List, Stack, Text } from '@mantine/core';
import {
  Analytics_DeviceCounts,
  azureSubscription_listForApp,
  codePushDeployments_list,
  crashIssues_list,
} from '@mooring/contract';
import { useHealthSince } from '../../api/overview.ts';
import { useDeployments, useExplanation } from '../../api/releases/codepush.ts';
import type { ReleaseDetails } from '../../api/releases/releases.ts';
import { useAdoption, useVersions } from '../../api/telemetry/analytics.ts';
import { useIssues, useStability } from '../../api/telemetry/crashes.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { daysSince, toAnalyticsFilter } from '../analytics/date-range.ts';
import { inPercent } from '../crashes/issue-labels.tsx';
import { Figures } from '../overview/figures.tsx';

const CHART = 200;
/** Each deployment costs a request. */
const DEPLOYMENTS = 5;

/** Adoption, stability and CodePush updates of a release. */
export default function ReleaseHealth({ release }: { release: ReleaseDetails }) {
  const { can } = useCurrentApp();
  return (
    <Section
      title="Adoption and stability"
      description="This version on all devices since the upload, for at most a year."
    >
      <Stack gap="md">
        {can(crashIssues_list) && can(Analytics_DeviceCounts) && <HealthFigures release={release} />}
        {can(Analytics_DeviceCounts) && <AdoptionCurve release={release} />}
        {can(codePushDeployments_list) && <OverTheAir version={release.short_version} />}
        {can(azureSubscription_listForApp) && <HealthSince since={release.uploaded_at} />}
      </Stack>
    </Section>
  );
}

const toFilterSince = ({ uploaded_at }: ReleaseDetails) => {
  const days = daysSince(Date.parse(uploaded_at), Date.now());
  return { filter: toAnalyticsFilter(days, ''), range: `${days.first}..${days.last}` };
};

function HealthFigures({ release }: { release: ReleaseDetails }) {
  const { appRef, params } = useCurrentApp();
  const { short_version: version } = release;
  const { filter: period, range } = toFilterSince(release);
  const stability = useStability(appRef, { ...period, version });
  const issues = useIssues(appRef, { version, kind: 'crash', limit: 100 });
  const versions = useVersions(appRef, period);
  const filter = { version, range };
  const fresh = issues.data?.filter(({ first_version }) => first_version === version).length;
  const devices = () => {
    const { total = 0, versions: versionCounts = [] } = versions.data ?? {};
    const own = versionCounts.find((one) => one.version === version)?.count ?? 0;
    return { own, share: total > 0 ? `${inPercent(Math.round((own / total) * 1000) / 10)} of all` : '' };
  };
  /** A failed figure doesn't hide the others. */
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
          note: stability.data && formatCount(stability.data.crash_count, 'crash', 'crashes'),
          to: pathTo('appCrashes', params, filter),
        },
        {
          label: 'New issues',
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
  const { appRef } = useCurrentApp();
  const { filter } = toFilterSince(release);
  const adoption = useAdoption(appRef, filter, [release.short_version]);
  const daily = (data: NonNullable<typeof adoption.data>) => data[0]?.daily ?? [];
  return (
    <ChartFrame
      title="Adoption"
      description={`Daily active devices with ${release.short_version}`}
      query={adoption}
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

/** CodePush updates for devices with this version. */
function OverTheAir({ version }: { version: string }) {
  const { appRef } = useCurrentApp();
  const deployments = useDeployments(appRef);
  if (deployments.data?.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        CodePush updates
      </Text>
      <QueryBoundary query={deployments}>
        {(all) => (
          <List size="sm" listStyleType="none">
            {all.slice(0, DEPLOYMENTS).map(({ name }) => (
              <OverlaidBy key={name} deployment={name} version={version} />
            ))}
          </List>
        )}
      </QueryBoundary>
    </Stack>
  );
}

function OverlaidBy({ deployment, version }: { deployment: string; version: string }) {
  const { appRef, params } = useCurrentApp();
  const { data, error } = useExplanation(appRef, deployment, { app_version: version });
  const label = data?.reason === 'update' ? (data.update_info.label ?? 'an update') : undefined;
  return (
    <List.Item>
      <TextLink to={pathTo('appDeployment', { ...params, deployment })} size="sm">
        {deployment}
      </TextLink>
      {label && `: ${label}${data?.rollout ? ` for ${data.rollout.percent}% of devices` : ''}`}
      {data && !label && ': no update for this version'}
      {error && ": couldn't load the update"}
    </List.Item>
  );
}

function HealthSince({ since }: { since: string }) {
  const { appRef } = useCurrentApp();
  const { data } = useHealthSince(appRef, since);
  if (!data || data.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Health events since the upload
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
