import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import {
  useActiveDevices,
  useDurations,
  useLanguages,
  useModels,
  useSessions,
  useSessionsPerDevice,
  useSystems,
} from '../../api/telemetry/analytics.ts';
import { type Ingestion, useIngestion } from '../../api/telemetry/ingestion.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { LineChart, type Series } from '../../components/charts/line-chart.tsx';
import { formatDuration, formatRatio, formatShare, parseDuration } from '../../components/charts/numbers.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { AnalyticsBar, useAnalyticsFilter } from './analytics-bar.tsx';
import { Countries } from './countries.tsx';
import { ReadFigure } from './figure.tsx';
import { formatLanguage } from './locale-names.ts';
import { counts, mapQuery, mean } from './query-data.ts';
import { bar, Ranking } from './ranking.tsx';
import { SdkSetup } from './sdk-setup/sdk-setup.tsx';
import { Adoption, Versions } from './versions.tsx';

const CHART = 260;

const LEAD = 'Active devices, sessions and device properties.';

export default function AnalyticsPage() {
  const { appRef } = useCurrentApp();
  const ingestion = useIngestion(appRef);
  return (
    <Page title="Overview" description={LEAD}>
      <QueryBoundary query={ingestion} skeleton={outline}>
        {(data) => <FiguresOrHelp ingestion={data} />}
      </QueryBoundary>
    </Page>
  );
}

const outline = <Skeleton height={600} role="status" aria-label="Loading" />;

/** Shows the SDK setup until the first data arrives, then the charts. */
function FiguresOrHelp({ ingestion }: { ingestion: Ingestion }) {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  // Decided at opening: the setup must not disappear when its own test log arrives.
  const [wasEmpty] = useState(!ingestion.last_received_at);
  const devices = useActiveDevices(appRef, filter, wasEmpty);
  if (!wasEmpty) return <Figures />;
  return (
    <QueryBoundary query={devices} skeleton={outline}>
      {({ monthly }) => (monthly.every(({ count }) => count === 0) ? <SdkSetup ingestion={ingestion} /> : <Figures />)}
    </QueryBoundary>
  );
}

function Figures() {
  const { appRef } = useCurrentApp();
  const { filter, previousFilter, isCompared } = useAnalyticsFilter();
  const devices = useActiveDevices(appRef, filter);
  const devicesBefore = useActiveDevices(appRef, previousFilter);
  const sessions = useSessions(appRef, filter);
  const sessionsBefore = useSessions(appRef, previousFilter);
  const perDevice = useSessionsPerDevice(appRef, filter);
  const durations = useDurations(appRef, filter);
  const before = <T,>(value: T | undefined): { previous?: T } =>
    isCompared && value !== undefined ? { previous: value } : {};
  const earlier = devicesBefore.data;
  const getLastCount = (list: { count: number }[] | undefined) => list?.at(-1)?.count;
  const stickiness = ({ daily, monthly }: NonNullable<typeof devices.data>) =>
    (100 * mean(counts(daily))) / Math.max(1, monthly.at(-1)?.count ?? 0);

  return (
    <Stack gap="md">
      <AnalyticsBar />
      <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
        <ReadFigure
          label="Daily active devices (average)"
          better="higher"
          query={mapQuery(devices, ({ daily }) => ({
            value: mean(counts(daily)),
            ...before(earlier && mean(counts(earlier.daily))),
          }))}
        />
        <ReadFigure
          label="Weekly active devices"
          better="higher"
          query={mapQuery(devices, ({ weekly }) => ({
            value: getLastCount(weekly) ?? 0,
            ...before(getLastCount(earlier?.weekly)),
          }))}
        />
        <ReadFigure
          label="Monthly active devices"
          better="higher"
          query={mapQuery(devices, ({ monthly }) => ({
            value: getLastCount(monthly) ?? 0,
            ...before(getLastCount(earlier?.monthly)),
          }))}
        />
        <ReadFigure
          label="Stickiness (daily / monthly)"
          isPercentage
          format={(value) => formatShare(value, 100)}
          query={mapQuery(devices, (data) => ({ value: stickiness(data), ...before(earlier && stickiness(earlier)) }))}
        />
        <ReadFigure
          label="Sessions"
          better="higher"
          query={mapQuery(perDevice, (data) => ({ value: data.total_count, ...before(data.previous_total_count) }))}
        />
        <ReadFigure
          label="Average session length"
          better="higher"
          isAverage
          format={formatDuration}
          query={mapQuery(durations, (data) => ({
            value: parseDuration(data.average_duration),
            ...before(parseDuration(data.previous_average_duration)),
          }))}
        />
      </SimpleGrid>

      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <ChartFrame
          title="Active devices"
          description="Active in the 1, 7 or 28 days up to each date"
          query={devices}
          height={CHART}
          table={({ daily, weekly, monthly }) => ({
            head: ['Day', 'Daily', 'Weekly', 'Monthly'],
            rows: daily.map(({ datetime, count }, at) => [
              datetime.slice(0, 10),
              count,
              weekly[at]?.count ?? 0,
              monthly[at]?.count ?? 0,
            ]),
          })}
        >
          {({ daily, weekly, monthly }) => (
            <LineChart
              label="Active devices"
              height={CHART}
              times={daily.map(({ datetime }) => datetime)}
              series={[
                { name: 'Daily', values: counts(daily) },
                { name: 'Weekly', values: counts(weekly) },
                { name: 'Monthly', values: counts(monthly) },
              ]}
            />
          )}
        </ChartFrame>
        <ChartFrame
          title="Daily devices, compared"
          description="Each day, compared to the same day of the previous period"
          query={devices}
          height={CHART}
          table={({ daily }) => compared('Devices', daily, earlier?.daily)}
        >
          {({ daily }) => (
            <LineChart
              label="Daily devices, compared"
              height={CHART}
              times={daily.map(({ datetime }) => datetime)}
              series={withBefore('Devices', daily, isCompared ? earlier?.daily : undefined)}
            />
          )}
        </ChartFrame>
        <ChartFrame
          title="Sessions by day"
          query={sessions}
          height={CHART}
          table={(data) => compared('Sessions', data, sessionsBefore.data)}
        >
          {(data) => (
            <LineChart
              label="Sessions"
              height={CHART}
              times={data.map(({ datetime }) => datetime)}
              series={withBefore('Sessions', data, isCompared ? sessionsBefore.data : undefined)}
            />
          )}
        </ChartFrame>
        <ChartFrame
          title="Sessions per device"
          description={perDevice.data && `${formatRatio(perDevice.data.average_sessions_per_user)} per day on average`}
          query={perDevice}
          height={CHART}
          table={({ sessions_per_user }) => ({
            head: ['Day', 'Sessions per device'],
            rows: sessions_per_user.map(({ datetime, count }) => [datetime.slice(0, 10), count]),
          })}
        >
          {({ sessions_per_user }) => (
            <LineChart
              label="Sessions per device"
              height={CHART}
              format={formatRatio}
              times={sessions_per_user.map(({ datetime }) => datetime)}
              series={[{ name: 'Sessions per device', values: counts(sessions_per_user) }]}
            />
          )}
        </ChartFrame>
        <Adoption height={CHART} />
        <Versions />
      </SimpleGrid>
      <Countries />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <Ranking
          title="Models"
          dimension="Model"
          query={mapQuery(useModels(appRef, filter), ({ total, models }) => ({
            total,
            bars: models.map(({ model_name, count, previous_count }) => bar(model_name, count, previous_count)),
          }))}
        />
        <Ranking
          title="Operating systems"
          dimension="Version"
          query={mapQuery(useSystems(appRef, filter), ({ total, oses }) => ({
            total,
            bars: oses.map(({ os_name, count, previous_count }) => bar(os_name, count, previous_count)),
          }))}
        />
        <Ranking
          title="Languages"
          dimension="Language"
          query={mapQuery(useLanguages(appRef, filter), ({ total, languages }) => ({
            total,
            bars: languages.map(({ language_name, count, previous_count }) => ({
              ...bar(language_name, count, previous_count),
              label: formatLanguage(language_name),
            })),
          }))}
        />
        <Ranking
          title="Session length"
          dimension="Length"
          measure="Sessions"
          query={mapQuery(durations, ({ distribution }) => ({
            total: distribution.reduce((sum, { count }) => sum + count, 0),
            bars: distribution.map(({ bucket, count }) => ({ name: bucket, count })),
          }))}
        />
      </SimpleGrid>
    </Stack>
  );
}

type Counted = { datetime: string; count: number }[];

const withBefore = (name: string, now: Counted, earlier: Counted | undefined): Series[] => [
  { name, values: counts(now) },
  ...(earlier?.some(({ count }) => count > 0)
    ? [{ name: 'Previous period', values: counts(earlier).slice(0, now.length), isPrevious: true }]
    : []),
];

const compared = (name: string, now: Counted, earlier: Counted | undefined) => ({
  head: ['Day', name, 'Previous period'],
  rows: now.map(({ datetime, count }, at) => [datetime.slice(0, 10), count, earlier?.[at]?.count ?? '']),
});
