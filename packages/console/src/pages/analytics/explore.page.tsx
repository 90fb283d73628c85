import { Autocomplete, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { analyticsCharts_delete, type chartDimensions, chartMeasures } from '@mooring/contract';
import { IconBookmark } from '@tabler/icons-react';
import { useEventProperties, useEvents } from '../../api/analytics.ts';
import { type Chart, useBreakdown, useCharts, useDeleteChart } from '../../api/explore.ts';
import { BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { inFull } from '../../parts/charts/numbers.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { useUrlChange, useUrlState } from '../../parts/url-state.ts';
import { pathTo } from '../../paths.ts';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';
import { spans } from './asked-days.ts';
import { stepsToText } from './chart-url.ts';
import { KeepChart } from './keep-chart.tsx';

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
  os: 'System',
  language: 'Language',
  carrier: 'Carrier',
};
const intervals = { PT1H: 'Hour', P1D: 'Day', P1W: 'Week' } as const;
type Width = keyof typeof intervals;

const DAY = 86_400_000;
const MOST_HOURS = 60;
const HEIGHT = 300;
const SHOWN = 8;
const SHOWN_BARS = 20;
const PROPERTY = 'property:';

const nameOf = (by: string): string =>
  by.startsWith(PROPERTY) ? by.slice(PROPERTY.length) : by in dimensions ? dimensions[by as 'version'] : by;

/** What the address asks for. */
function useExplored() {
  const { days, versions } = useAsked();
  const [measure] = useUrlState('measure');
  const [event] = useUrlState('event');
  const [first] = useUrlState('by');
  const [second] = useUrlState('by2');
  const [width] = useUrlState('interval');
  const isEvent = measure !== 'crashes' && event !== '';
  const isKnown = (by: string) => by in dimensions || (isEvent && by.startsWith(PROPERTY));
  const by = [first, second].filter((each, at, all) => each !== '' && isKnown(each) && all.indexOf(each) === at);
  const interval: Width = width in intervals ? (width as Width) : 'P1D';
  return {
    days,
    versions,
    measure: chartMeasures.find((one) => one === measure) ?? ('devices' as const),
    event: isEvent ? event : undefined,
    by,
    // An hour of more days than that is a line that nobody can read.
    interval: interval === 'PT1H' && days.days > MOST_HOURS ? ('P1D' as const) : interval,
  };
}

/** Any measure, by up to two things. */
export default function ExplorePage() {
  const { appRef } = useAppHere();
  const { days, versions, measure, event, by, interval } = useExplored();
  const asked = { measure, by, interval, ...(event === undefined ? {} : { event }) };
  const reading = useBreakdown(appRef, {
    start: `${days.first}T00:00:00Z`,
    end: new Date(Date.parse(days.last) + DAY).toISOString(),
    ...(versions.length > 0 ? { versions } : {}),
    ...asked,
    $top: 50,
  });
  const filters = versions.length > 0 ? { filters: { versions } } : {};
  const of = by.map(nameOf).join(', ');
  const title = `${measures[measure]}${event === undefined ? '' : ` of ${event}`}${of ? ` by ${of}` : ''}`;
  const labelOf = (values: readonly string[]) => values.join(' · ');
  return (
    <Page
      title="Trends"
      lead="Any measure, by whatever devices and events tell."
      actions={<KeepChart question={{ kind: 'breakdown', days: days.days, ...asked, ...filters }} />}
    >
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <Choices />
        <ChartFrame
          title={title}
          lead={by.length > 0 && `The first ${SHOWN} as lines; the table and the file have the first 50.`}
          reading={reading}
          height={HEIGHT}
          table={({ buckets, counts, groups }) => ({
            head: ['Time', 'All', ...groups.map(({ values }) => labelOf(values))],
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
                  : groups.slice(0, SHOWN).map((group) => ({ name: labelOf(group.values), values: group.counts }))
              }
            />
          )}
        </ChartFrame>
        {by.length > 0 && (
          <ChartFrame
            title={`In all, by ${of}`}
            lead={
              reading.data &&
              reading.data.group_count > SHOWN_BARS &&
              `The first ${SHOWN_BARS} of ${inFull(reading.data.group_count)}.`
            }
            reading={reading}
            height={HEIGHT}
            isTable
            table={({ groups }) => ({
              head: [...by.map(nameOf), measures[measure]],
              rows: groups.map(({ values, total }) => [...values, total]),
            })}
          >
            {({ total, groups }) => (
              <BarList
                of={of}
                what={measures[measure]}
                total={total}
                bars={groups.slice(0, SHOWN_BARS).map(({ values, total: count }) => ({ name: labelOf(values), count }))}
              />
            )}
          </ChartFrame>
        )}
        <KeptCharts />
      </Stack>
    </Page>
  );
}

/** What is counted, and by what. */
function Choices() {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  const { measure, event, by, interval, days } = useExplored();
  const change = useUrlChange();
  const known = useEvents(appRef, asked).data?.events.map(({ name }) => name) ?? [];
  const properties = useEventProperties(appRef, event ?? '').data?.event_properties ?? [];
  const groupings = [
    ...Object.entries(dimensions).map(([value, label]) => ({ value, label })),
    ...(event === undefined
      ? []
      : properties.map((name) => ({ value: `${PROPERTY}${name}`, label: `${name} (property)` }))),
  ];
  const none = { value: '', label: 'Nothing' };
  return (
    <Group component="section" aria-label="What is counted" gap="sm" align="flex-end">
      <NativeSelect
        label="Measure"
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
          data={known}
          value={event ?? ''}
          onChange={(value) => change({ event: value })}
          limit={50}
          w={180}
        />
      )}
      <NativeSelect
        label="By"
        size="xs"
        value={by[0] ?? ''}
        onChange={({ currentTarget }) => change({ by: currentTarget.value })}
        data={[none, ...groupings]}
      />
      {by.length > 0 && (
        <NativeSelect
          label="And by"
          size="xs"
          value={by[1] ?? ''}
          onChange={({ currentTarget }) => change({ by2: currentTarget.value })}
          data={[none, ...groupings.filter(({ value }) => value !== by[0])]}
        />
      )}
      <NativeSelect
        label="In each"
        size="xs"
        value={interval}
        onChange={({ currentTarget }) => change({ interval: currentTarget.value })}
        data={Object.entries(intervals)
          .filter(([value]) => value !== 'PT1H' || days.days <= MOST_HOURS)
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

/** The address at which a chart is shown. */
function useChartPath() {
  const { params } = useAppHere();
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

function KeptCharts() {
  const { appRef, may } = useAppHere();
  const charts = useCharts(appRef);
  const pathOf = useChartPath();
  const deleting = useQuestion<Chart>({
    title: ({ name }) => `Delete ${name}?`,
    action: 'Delete',
    loss: () => 'Nobody finds it here any more. What it shows stays.',
    doing: useDeleteChart(appRef),
  });
  return (
    <Part title="Saved charts">
      <DataTable
        label="Saved charts"
        reading={charts}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconBookmark size={32} aria-hidden />}>
            No saved charts yet. Save a trend, a funnel or a retention to find it again here.
          </Empty>
        }
        columns={[
          {
            label: 'Chart',
            text: ({ name }) => name,
            cell: (chart) => <NameLink to={pathOf(chart)}>{chart.name}</NameLink>,
          },
          {
            label: 'Kind',
            width: 130,
            text: ({ question }) => kinds[question.kind],
            cell: ({ question }) => kinds[question.kind],
          },
          {
            label: 'Time',
            width: 150,
            onPhone: 'hidden',
            text: ({ question }) => question.days,
            cell: ({ question }) => <Text size="sm">Last {question.days} days</Text>,
          },
          ...(may(analyticsCharts_delete)
            ? [
                actionsColumn<Chart>(110, (chart) => (
                  <RowButton label={`Delete ${chart.name}`} onClick={() => deleting.ask(chart)}>
                    Delete
                  </RowButton>
                )),
              ]
            : []),
        ]}
      />
      {deleting.dialog}
    </Part>
  );
}
