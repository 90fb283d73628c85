import { SimpleGrid, Stack, Text } from '@mantine/core';
import { crashGrouping_update, crashIssues_update } from '@mooring/contract';
import { IconBug } from '@tabler/icons-react';
import type { AnalyticsFilter } from '../../api/telemetry/analytics.ts';
import { type ListedIssue, useChangeIssues, useIssues, useStability } from '../../api/telemetry/crashes.ts';
import { BarList } from '../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { formatNumber } from '../../components/charts/numbers.ts';
import { LabeledSparkline } from '../../components/charts/sparkline.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import type { QueryState } from '../../components/feedback/query-boundary.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useStateActions } from '../../components/tables/state-actions.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink, NameLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics/analytics-bar.tsx';
import { type Figure, ReadFigure } from '../analytics/figure.tsx';
import { FailedReports } from './failed-reports.tsx';
import { formatLocation, inPercent, StateBadge } from './issue-labels.tsx';
import { ReprocessingProgress } from './reprocessing-progress.tsx';
import { RulesButton } from './rules-dialog.tsx';

const CHART = 220;

const toCrashQuery = ({ start, end, versions }: AnalyticsFilter) => {
  const version = versions?.split('|')[0];
  return { start, ...(end ? { end } : {}), ...(version ? { version } : {}) };
};

export default function CrashesPage() {
  const { appRef, can } = useCurrentApp();
  const { filter, previousFilter, isCompared } = useAnalyticsFilter();
  const stability = useStability(appRef, toCrashQuery(filter));
  const earlier = useStability(appRef, toCrashQuery(previousFilter));
  const hasBase = earlier.data?.days.some(({ sessions }) => sessions > 0) ?? false;
  const figure = (value: (data: NonNullable<typeof stability.data>) => number): QueryState<Figure> => ({
    ...stability,
    data: stability.data &&
      earlier.data && {
        value: value(stability.data),
        // Without sessions, everything was free of crashes.
        ...(isCompared ? { previous: hasBase ? value(earlier.data) : 0 } : {}),
      },
    error: stability.error ?? earlier.error,
  });
  return (
    <Page
      title="Crashes"
      description="Crashes and handled errors, grouped into issues."
      actions={can(crashGrouping_update) && <RulesButton />}
    >
      <Stack gap="md">
        <AnalyticsBar />
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
          <ReadFigure
            label="Crash-free devices"
            isPercentage
            better="higher"
            format={inPercent}
            query={figure(({ crash_free_devices }) => crash_free_devices)}
          />
          <ReadFigure
            label="Crash-free sessions"
            isPercentage
            better="higher"
            format={inPercent}
            query={figure(({ crash_free_sessions }) => crash_free_sessions)}
          />
          <ReadFigure label="Crashes" better="lower" query={figure(({ crash_count }) => crash_count)} />
          <ReadFigure label="Handled errors" better="lower" query={figure(({ error_count }) => error_count)} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          <ChartFrame
            title="Crashes and handled errors by day"
            query={stability}
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
            query={stability}
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
  return <BarList dimension="Version" measure="Crashes" bars={bars} total={total} />;
}

const kinds = [
  { value: 'crash', label: 'Crashes' },
  { value: 'error', label: 'Handled errors' },
  { value: 'hang', label: 'App hangs' },
];
const states = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'ignored', label: 'Ignored' },
];

const actions = [
  { state: 'closed', label: 'Close' },
  { state: 'ignored', label: 'Ignore' },
  { state: 'open', label: 'Reopen' },
] as const;

function Issues() {
  const { appRef, params, can } = useCurrentApp();
  const filters = useFilters([
    { name: 'kind', label: 'Type', kind: 'choice', choices: kinds },
    { name: 'state', label: 'Status', kind: 'choice', choices: states },
  ]);
  const { kind, state } = filters.values;
  const issues = useIssues(appRef, {
    ...useListQuery(['last_at', 'count', 'device_count']),
    ...(kind === 'crash' || kind === 'error' || kind === 'hang' ? { kind } : {}),
    ...(state === 'open' || state === 'closed' || state === 'ignored' ? { state } : {}),
  });
  const rowKey = ({ id }: ListedIssue) => id;
  const { selection, bar } = useStateActions({
    rows: issues.data,
    rowKey,
    rowName: ({ exception_type }) => exception_type || 'Unknown',
    noun: ['issue', 'issues'],
    actions,
    change: useChangeIssues(appRef),
  });
  const columns: Column<ListedIssue>[] = [
    {
      id: 'issue',
      label: 'Issue',
      isWrapped: true,
      cell: (issue) => (
        <Stack gap={2}>
          <NameLink to={pathTo('appCrash', { ...params, issue: issue.id })}>
            {issue.exception_type || 'Unknown'}
          </NameLink>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {[formatLocation(issue), issue.message].filter(Boolean).join(' — ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      width: 110,
      cell: (issue) => <StateBadge issue={issue} />,
    },
    {
      id: 'last_28_days',
      label: 'Last 28 days',
      width: 115,
      isSecondary: true,
      mobileDisplay: 'hidden',
      cell: ({ trend }) => <LabeledSparkline label="Last 28 days" values={trend} endsToday />,
    },
    {
      id: 'count',
      label: 'Reports',
      isNumber: true,
      width: 85,
      sort: 'count',
      mobileDisplay: 'label',
      cell: ({ count }) => formatNumber(count),
    },
    {
      id: 'device_count',
      label: 'Devices',
      isNumber: true,
      width: 85,
      sort: 'device_count',
      mobileDisplay: 'label',
      cell: ({ device_count }) => formatNumber(device_count),
    },
    {
      id: 'versions',
      label: 'Versions',
      width: 120,
      isSecondary: true,
      cell: ({ first_version, last_version }) => [...new Set([first_version, last_version])].join(' – '),
    },
    timeColumn('last_at', 'Last seen', ({ last_at }) => last_at, { sort: 'last_at' }),
  ];
  return (
    <>
      {bar}
      <DataTable
        id="crashes"
        label="Issues"
        query={issues}
        columns={columns}
        rowKey={rowKey}
        {...(can(crashIssues_update) ? { selection } : {})}
        search="Search by type, message or location"
        filters={filters.bar}
        isServers
        empty={
          <EmptyState
            icon={<IconBug size={32} aria-hidden />}
            action={<ButtonLink to={pathTo('appAnalyticsSetUp', params)}>Set up SDK</ButtonLink>}
          >
            No crashes reported. To report crashes, start the SDK with the Crashes module.
          </EmptyState>
        }
      />
    </>
  );
}
