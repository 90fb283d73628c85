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
} from '../../api/analytics.ts';
import { type Ingestion, useIngestion } from '../../api/ingestion.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart, type Series } from '../../parts/charts/line-chart.tsx';
import { asRatio, asShare, lengthInWords, secondsOf } from '../../parts/charts/numbers.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';
import { Countries } from './countries.tsx';
import { ReadFigure } from './figure.tsx';
import { FirstData } from './first-data.tsx';
import { bar, Listing } from './listing.tsx';
import { languageInWords } from './names.ts';
import { counts, mean, of } from './readings.ts';
import { Adoption, Versions } from './versions.tsx';

const CHART = 260;

const LEAD = 'Who uses the app, how often and on what.';

export default function AnalyticsPage() {
  const { appRef } = useAppHere();
  const ingestion = useIngestion(appRef);
  return (
    <Page title="Overview" lead={LEAD}>
      <Loaded reading={ingestion} outline={outline}>
        {(came) => <FiguresOrHelp came={came} />}
      </Loaded>
    </Page>
  );
}

const outline = <Skeleton height={600} role="status" aria-label="Loading" />;

/** Until something is counted, how to send it; the first figures come by themselves. */
function FiguresOrHelp({ came }: { came: Ingestion }) {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  // As it was when the page was opened: a test batch that comes must not take away the word that it has.
  const [wasEmpty] = useState(!came.last_received_at);
  const devices = useActiveDevices(appRef, asked, wasEmpty);
  if (!wasEmpty) return <Figures />;
  return (
    <Loaded reading={devices} outline={outline}>
      {({ monthly }) => (monthly.every(({ count }) => count === 0) ? <FirstData ingestion={came} /> : <Figures />)}
    </Loaded>
  );
}

function Figures() {
  const { appRef } = useAppHere();
  const { asked, askedBefore, isCompared } = useAsked();
  const devices = useActiveDevices(appRef, asked);
  const devicesBefore = useActiveDevices(appRef, askedBefore);
  const sessions = useSessions(appRef, asked);
  const sessionsBefore = useSessions(appRef, askedBefore);
  const perDevice = useSessionsPerDevice(appRef, asked);
  const durations = useDurations(appRef, asked);
  const before = <T,>(value: T | undefined): { previous?: T } =>
    isCompared && value !== undefined ? { previous: value } : {};
  const earlier = devicesBefore.data;
  const lastOf = (list: { count: number }[] | undefined) => list?.at(-1)?.count;
  const stickiness = ({ daily, monthly }: NonNullable<typeof devices.data>) =>
    mean(counts(daily)) / Math.max(1, monthly.at(-1)?.count ?? 0);

  return (
    <Stack gap="md">
      <AnalyticsBar />
      <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
        <ReadFigure
          label="Active devices a day, on average"
          reading={of(devices, ({ daily }) => ({
            value: mean(counts(daily)),
            ...before(earlier && mean(counts(earlier.daily))),
          }))}
        />
        <ReadFigure
          label="Active in the last 7 days"
          reading={of(devices, ({ weekly }) => ({ value: lastOf(weekly) ?? 0, ...before(lastOf(earlier?.weekly)) }))}
        />
        <ReadFigure
          label="Active in the last 28 days"
          reading={of(devices, ({ monthly }) => ({ value: lastOf(monthly) ?? 0, ...before(lastOf(earlier?.monthly)) }))}
        />
        <ReadFigure
          label="Stickiness: daily of monthly devices"
          format={(value) => asShare(value, 1)}
          reading={of(devices, (data) => ({ value: stickiness(data), ...before(earlier && stickiness(earlier)) }))}
        />
        <ReadFigure
          label="Sessions"
          reading={of(perDevice, (data) => ({ value: data.total_count, ...before(data.previous_total_count) }))}
        />
        <ReadFigure
          label="Length of a session, on average"
          format={lengthInWords}
          reading={of(durations, (data) => ({
            value: secondsOf(data.average_duration),
            ...before(secondsOf(data.previous_average_duration)),
          }))}
        />
      </SimpleGrid>

      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <ChartFrame
          title="Active devices"
          lead="On each day, and in the 7 and 28 days that end with it"
          reading={devices}
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
          title="Daily devices compared"
          lead="Each day beside the same day of the period before"
          reading={devices}
          height={CHART}
          table={({ daily }) => compared('Devices', daily, earlier?.daily)}
        >
          {({ daily }) => (
            <LineChart
              label="Daily devices compared"
              height={CHART}
              times={daily.map(({ datetime }) => datetime)}
              series={withBefore('Devices', daily, isCompared ? earlier?.daily : undefined)}
            />
          )}
        </ChartFrame>
        <ChartFrame
          title="Sessions by day"
          reading={sessions}
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
          lead={perDevice.data && `${asRatio(perDevice.data.average_sessions_per_user)} a day on average`}
          reading={perDevice}
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
              format={asRatio}
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
        <Listing
          title="Models"
          of="Model"
          reading={of(useModels(appRef, asked), ({ total, models }) => ({
            total,
            bars: models.map(({ model_name, count, previous_count }) => bar(model_name, count, previous_count)),
          }))}
        />
        <Listing
          title="Operating systems"
          of="Version"
          reading={of(useSystems(appRef, asked), ({ total, oses }) => ({
            total,
            bars: oses.map(({ os_name, count, previous_count }) => bar(os_name, count, previous_count)),
          }))}
        />
        <Listing
          title="Languages"
          of="Language"
          reading={of(useLanguages(appRef, asked), ({ total, languages }) => ({
            total,
            bars: languages.map(({ language_name, count, previous_count }) => ({
              ...bar(language_name, count, previous_count),
              label: languageInWords(language_name),
            })),
          }))}
        />
        <Listing
          title="Length of sessions"
          of="Length"
          what="Sessions"
          reading={of(durations, ({ distribution }) => ({
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
    ? [{ name: 'Before', values: counts(earlier).slice(0, now.length), isPrevious: true }]
    : []),
];

const compared = (name: string, now: Counted, earlier: Counted | undefined) => ({
  head: ['Day', name, 'Before'],
  rows: now.map(({ datetime, count }, at) => [datetime.slice(0, 10), count, earlier?.[at]?.count ?? '']),
});
