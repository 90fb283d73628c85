import { Autocomplete, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { analyticsCharts_delete, type chartDimensions, chartMeasures } from '@mooring/contract';
import { IconBookmark } from '@tabler/icons-react';
import { useEventProperties, useEvents } from '../../../api/telemetry/analytics.ts';
import { type Chart, useBreakdown, useCharts, useDeleteChart } from '../../../api/telemetry/explore.ts';
import { BarList } from '../../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../../components/charts/chart-frame.tsx';
import { LineChart } from '../../../components/charts/line-chart.tsx';
import { formatNumber } from '../../../components/charts/numbers.ts';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page, Section } from '../../../components/layout/page.tsx';
import { actionsColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { RowButton } from '../../../components/tables/row-button.tsx';
import { NameLink } from '../../../components/text/links.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import { useUrlChange, useUrlState } from '../../../routing/url-state.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics-bar.tsx';
import { spans } from '../date-range.ts';
import { stepsToText } from './chart-url.ts';
import { SaveChart } from './save-chart.tsx';

type Measure = (typeof chartMeasures)[number];
const measures: Record<Measure, string> = {
  devices: 'Devices',
  sessions: 'Sessions',
  events: 'Events',
  crashes: 'Crashes',
};
const dimensions: Record<(typeof chartDimensions)[number], string> = {
  version: 'Version',
  build: 'Build',
  country: 'Country',
  model: 'Model',
  os: 'Operating system',
  language: 'Language',
  carrier: 'Carrier',
};
const intervals = { PT1H: 'Hour', P1D: 'Day', P1W: 'Week' } as const;
type Width = keyof typeof intervals;

const DAY = 86_400_000;
const MAX_HOURS = 60;
const HEIGHT = 300;
const VISIBLE_SERIES = 8;
const VISIBLE_BARS = 20;
const PROPERTY = 'property:';

const getDimensionName = (by: string): string =>
  by.startsWith(PROPERTY) ? by.slice(PROPERTY.length) : by in dimensions ? dimensions[by as 'version'] : by;

/** Chart settings from the URL. */
function useExplored() {
  const { days, versions } = useAnalyticsFilter();
  const [measure] = useUrlState('measure');
  const [event] = useUrlState('event');
  const [first] = useUrlState('by');
  const [second] = useUrlState('by2');
  const [width] = useUrlState('interval');
  const isEvent = measure !== 'crashes' && event !== '';
  const isDimension = (by: string) => by in dimensions || (isEvent && by.startsWith(PROPERTY));
  const by = [first, second].filter((each, at, all) => each !== '' && isDimension(each) && all.indexOf(each) === at);
  const interval: Width = width in intervals ? (width as Width) : 'P1D';
  return {
    days,
    versions,
    measure: chartMeasures.find((one) => one === measure) ?? ('devices' as const),
    event: isEvent ? event : undefined,
    by,
    // An hourly chart of more days would be unreadable.
    interval: interval === 'PT1H' && days.days > MAX_HOURS ? ('P1D' as const) : interval,
  };
}

/** A metric by up to two properties. */
export default function ExplorePage() {
  const { appRef } = useCurrentApp();
  const { days, versions, measure, event, by, interval } = useExplored();
  const breakdown = { measure, by, interval, ...(event === undefined ? {} : { event }) };
  const query = useBreakdown(appRef, {
    start: `${days.first}T00:00:00Z`,
    end: new Date(Date.parse(days.last) + DAY).toISOString(),
    ...(versions.length > 0 ? { versions } : {}),
    ...breakdown,
    $top: 50,
  });
  const filters = versions.length > 0 ? { filters: { versions } } : {};
  const dimensionNames = by.map(getDimensionName).join(', ');
  const title = `${measures[measure]}${event === undefined ? '' : ` of ${event}`}${dimensionNames ? ` by ${dimensionNames}` : ''}`;
  const joinValues = (values: readonly string[]) => values.join(' · ');
  return (
    <Page
      title="Trends"
      description="Chart any metric by any property."
      actions={<SaveChart definition={{ kind: 'breakdown', days: days.days, ...breakdown, ...filters }} />}
    >
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <Choices />
        <ChartFrame
          title={title}
          description={by.length > 0 && `Shows the top ${VISIBLE_SERIES}. The table and CSV file contain the top 50.`}
          query={query}
          height={HEIGHT}
          table={({ buckets, counts, groups }) => ({
            head: ['Time', 'All', ...groups.map(({ values }) => joinValues(values))],
            rows: buckets.map((time, at) => [
              interval === 'PT1H' ? time.slice(0, 16) : time.slice(0, 10),
              counts[at] ?? 0,
              ...groups.map((group) => group.counts[at] ?? 0),
            ]),
          })}
        >
          {({ buckets, counts, groups }) => (
            <LineChart
              label={title}
              height={HEIGHT}
              times={buckets}
              series={
                by.length === 0
                  ? [{ name: measures[measure], values: counts }]
                  : groups
                      .slice(0, VISIBLE_SERIES)
                      .map((group) => ({ name: joinValues(group.values), values: group.counts }))
              }
            />
          )}
        </ChartFrame>
        {by.length > 0 && (
          <ChartFrame
            title={`Total by ${dimensionNames}`}
            description={
              query.data &&
              query.data.group_count > VISIBLE_BARS &&
              `Top ${VISIBLE_BARS} of ${formatNumber(query.data.group_count)}`
            }
            query={query}
            height={HEIGHT}
            isTable
            table={({ groups }) => ({
              head: [...by.map(getDimensionName), measures[measure]],
              rows: groups.map(({ values, total }) => [...values, total]),
            })}
          >
            {({ total, groups }) => (
              <BarList
                dimension={dimensionNames}
                measure={measures[measure]}
                total={total}
                bars={groups
                  .slice(0, VISIBLE_BARS)
                  .map(({ values, total: count }) => ({ name: joinValues(values), count }))}
              />
            )}
          </ChartFrame>
        )}
        <SavedCharts />
      </Stack>
    </Page>
  );
}

/** Metric, grouping and interval. */
function Choices() {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const { measure, event, by, interval, days } = useExplored();
  const change = useUrlChange();
  const eventNames = useEvents(appRef, filter).data?.events.map(({ name }) => name) ?? [];
  const properties = useEventProperties(appRef, event ?? '').data?.event_properties ?? [];
  const groupings = [
    ...Object.entries(dimensions).map(([value, label]) => ({ value, label })),
    ...(event === undefined
      ? []
      : properties.map((name) => ({ value: `${PROPERTY}${name}`, label: `${name} (property)` }))),
  ];
  const none = { value: '', label: 'None' };
  return (
    <Group component="section" aria-label="Chart settings" gap="sm" align="flex-end">
      <NativeSelect
        label="Metric"
        size="xs"
        value={measure}
        onChange={({ currentTarget: { value } }) => change({ measure: value === 'devices' ? undefined : value })}
        data={Object.entries(measures).map(([value, label]) => ({ value, label }))}
      />
      {measure !== 'crashes' && (
        <Autocomplete
          label="Event"
          size="xs"
          placeholder="Any"
          data={eventNames}
          value={event ?? ''}
          onChange={(value) => change({ event: value })}
          limit={50}
          w={180}
        />
      )}
      <NativeSelect
        label="Group by"
        size="xs"
        value={by[0] ?? ''}
        onChange={({ currentTarget }) => change({ by: currentTarget.value })}
        data={[none, ...groupings]}
      />
      {by.length > 0 && (
        <NativeSelect
          label="Then by"
          size="xs"
          value={by[1] ?? ''}
          onChange={({ currentTarget }) => change({ by2: currentTarget.value })}
          data={[none, ...groupings.filter(({ value }) => value !== by[0])]}
        />
      )}
      <NativeSelect
        label="Interval"
        size="xs"
        value={interval}
        onChange={({ currentTarget }) => change({ interval: currentTarget.value })}
        data={Object.entries(intervals)
          .filter(([value]) => value !== 'PT1H' || days.days <= MAX_HOURS)
          .map(([value, label]) => ({ value, label }))}
      />
    </Group>
  );
}

const kinds: Record<Chart['question']['kind'], string> = {
  breakdown: 'Trend',
  funnel: 'Funnel',
  retention: 'Retention',
};

/** URL of a saved chart. */
function useChartPath() {
  const { params } = useCurrentApp();
  return ({ question }: Chart): string => {
    const span = spans.find(({ days }) => days === question.days)?.value;
    const common = { range: span ?? lastDays(question.days), version: question.filters?.versions?.join('|') };
    switch (question.kind) {
      case 'breakdown': {
        const { measure, event, by, interval } = question;
        return pathTo('appExplore', params, { ...common, measure, event, by: by[0], by2: by[1], interval });
      }
      case 'funnel': {
        const { steps, within_seconds: within } = question;
        return pathTo('appFunnel', params, {
          ...common,
          steps: stepsToText(steps),
          within: within === undefined ? undefined : String(within),
        });
      }
      case 'retention':
        return pathTo('appRetention', params, { ...common, interval: question.interval });
    }
  };
}

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);
const lastDays = (days: number): string => `${dayText(Date.now() - (days - 1) * DAY)}..${dayText(Date.now())}`;

function SavedCharts() {
  const { appRef, can } = useCurrentApp();
  const charts = useCharts(appRef);
  const getChartPath = useChartPath();
  const deleting = useConfirm<Chart>({
    title: ({ name }) => `Delete chart ${name}?`,
    action: 'Delete chart',
    consequence: () => 'The chart is deleted for everyone. The data it shows stays.',
    openDialog: useDeleteChart(appRef),
  });
  return (
    <Section title="Saved charts">
      <DataTable
        id="explore"
        label="Saved charts"
        query={charts}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<IconBookmark size={32} aria-hidden />}>
            No saved charts yet. Save a trend, funnel or retention chart to share it here.
          </EmptyState>
        }
        columns={[
          {
            id: 'chart',
            label: 'Chart',
            text: ({ name }) => name,
            cell: (chart) => <NameLink to={getChartPath(chart)}>{chart.name}</NameLink>,
          },
          {
            id: 'type',
            label: 'Type',
            width: 130,
            text: ({ question }) => kinds[question.kind],
            cell: ({ question }) => kinds[question.kind],
          },
          {
            id: 'period',
            label: 'Period',
            width: 150,
            mobileDisplay: 'hidden',
            text: ({ question }) => question.days,
            cell: ({ question }) => <Text size="sm">Last {question.days} days</Text>,
          },
          ...(can(analyticsCharts_delete)
            ? [
                actionsColumn<Chart>(110, (chart) => (
                  <RowButton label={`Delete ${chart.name}`} onClick={() => deleting.open(chart)}>
                    Delete
                  </RowButton>
                )),
              ]
            : []),
        ]}
      />
      {deleting.dialog}
    </Section>
  );
}
