import { SimpleGrid, Stack, Text } from '@mantine/core';
import { crashGrouping_update } from '@mooring/contract';
import { IconBug } from '@tabler/icons-react';
import type { Asked } from '../../api/analytics.ts';
import { type ListedIssue, useIssues, useStability } from '../../api/crashes.ts';
import { BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { inFull } from '../../parts/charts/numbers.ts';
import { ToldSparkline } from '../../parts/charts/sparkline.tsx';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import type { Reading } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { pathTo } from '../../paths.ts';
import { AnalyticsBar, useAsked } from '../analytics/analytics-bar.tsx';
import { type Figure, ReadFigure } from '../analytics/figure.tsx';
import { FailedReports } from './failed-reports.tsx';
import { inPercent, placeOf, StateBadge } from './issue-words.tsx';
import { ReprocessingProgress } from './reprocessing-progress.tsx';
import { RulesButton } from './rules-dialog.tsx';

const CHART = 220;

const queryOf = ({ start, end, versions }: Asked) => {
  const version = versions?.split('|')[0];
  return { start, ...(end ? { end } : {}), ...(version ? { version } : {}) };
};

export default function CrashesPage() {
  const { appRef, may } = useAppHere();
  const { asked, askedBefore, isCompared } = useAsked();
  const stability = useStability(appRef, queryOf(asked));
  const earlier = useStability(appRef, queryOf(askedBefore));
  const figure = (value: (data: NonNullable<typeof stability.data>) => number): Reading<Figure> => ({
    ...stability,
    data: stability.data &&
      earlier.data && {
        value: value(stability.data),
        ...(isCompared ? { previous: value(earlier.data) } : {}),
      },
    error: stability.error ?? earlier.error,
  });
  return (
    <Page
      title="Crashes"
      lead="What broke, for whom, since when, and where in the code."
      actions={may(crashGrouping_update) && <RulesButton />}
    >
      <Stack gap="md">
        <AnalyticsBar />
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
          <ReadFigure
            label="Crash-free devices"
            format={inPercent}
            reading={figure(({ crash_free_devices }) => crash_free_devices)}
          />
          <ReadFigure
            label="Crash-free sessions"
            format={inPercent}
            reading={figure(({ crash_free_sessions }) => crash_free_sessions)}
          />
          <ReadFigure label="Crashes" reading={figure(({ crash_count }) => crash_count)} />
          <ReadFigure label="Handled errors" reading={figure(({ error_count }) => error_count)} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          <ChartFrame
            title="Crashes and handled errors by day"
            reading={stability}
            height={CHART}
            table={({ days }) => ({
              head: ['Day', 'Crashes', 'Handled errors'],
              rows: days.map(({ datetime, crashes, errors }) => [datetime.slice(0, 10), crashes, errors]),
            })}
          >
            {({ days }) => (
              <LineChart
                label="Crashes and handled errors"
                height={CHART}
                times={days.map(({ datetime }) => datetime)}
                series={[
                  { name: 'Crashes', values: days.map(({ crashes }) => crashes) },
                  { name: 'Handled errors', values: days.map(({ errors }) => errors) },
                ]}
              />
            )}
          </ChartFrame>
          <ChartFrame
            title="By version"
            reading={stability}
            height={CHART}
            table={({ versions }) => ({
              head: ['Version', 'Crashes', 'Handled errors'],
              rows: versions.map(({ version, crashes, errors }) => [version, crashes, errors]),
            })}
          >
            {({ versions }) => <VersionBars versions={versions} />}
          </ChartFrame>
        </SimpleGrid>
        <ReprocessingProgress />
        <Issues />
        <FailedReports />
      </Stack>
    </Page>
  );
}

function VersionBars({ versions }: { versions: { version: string; crashes: number; errors: number }[] }) {
  const total = versions.reduce((sum, { crashes }) => sum + crashes, 0);
  const bars = versions.map(({ version, crashes }) => ({ name: version, count: crashes }));
  return <BarList of="Version" what="Crashes" bars={bars} total={total} />;
}

const kinds = [
  { value: 'crash', label: 'Crashes' },
  { value: 'error', label: 'Handled errors' },
];
const states = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'ignored', label: 'Ignored' },
];

function Issues() {
  const { appRef, params } = useAppHere();
  const filters = useFilters([
    { name: 'kind', label: 'Kind', kind: 'choice', choices: kinds },
    { name: 'state', label: 'State', kind: 'choice', choices: states },
  ]);
  const { kind, state } = filters.values;
  const issues = useIssues(appRef, {
    ...useListQuery(['last_at', 'count', 'device_count']),
    ...(kind === 'crash' || kind === 'error' ? { kind } : {}),
    ...(state === 'open' || state === 'closed' || state === 'ignored' ? { state } : {}),
  });
  const columns: Column<ListedIssue>[] = [
    {
      label: 'Issue',
      isWrapped: true,
      cell: (issue) => (
        <Stack gap={2}>
          <NameLink to={pathTo('appCrash', { ...params, issue: issue.id })}>
            {issue.exception_type || 'Unknown'}
          </NameLink>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {[placeOf(issue), issue.message].filter(Boolean).join(' — ')}
          </Text>
        </Stack>
      ),
    },
    {
      label: 'State',
      width: 110,
      cell: (issue) => <StateBadge issue={issue} />,
    },
    {
      label: 'Last 28 days',
      width: 115,
      isSecondary: true,
      onPhone: 'hidden',
      cell: ({ trend }) => <ToldSparkline label="Last 28 days" values={trend} />,
    },
    { label: 'Reports', width: 85, sort: 'count', onPhone: 'label', cell: ({ count }) => inFull(count) },
    {
      label: 'Devices',
      width: 85,
      sort: 'device_count',
      onPhone: 'label',
      cell: ({ device_count }) => inFull(device_count),
    },
    {
      label: 'Versions',
      width: 120,
      isSecondary: true,
      cell: ({ first_version, last_version }) => [...new Set([first_version, last_version])].join(' – '),
    },
    timeColumn('Last seen', ({ last_at }) => last_at, { sort: 'last_at' }),
  ];
  return (
    <DataTable
      label="Issues"
      reading={issues}
      columns={columns}
      keyOf={({ id }) => id}
      search="Search by type, message or place"
      filters={filters.bar}
      isServers
      empty={
        <Empty
          icon={<IconBug size={32} aria-hidden />}
          action={<ButtonLink to={pathTo('appAnalyticsSetUp', params)}>Set up</ButtonLink>}
        >
          Nothing broke, or nobody told: apps tell of crashes when the SDK is started with Crashes.
        </Empty>
      }
    />
  );
}
