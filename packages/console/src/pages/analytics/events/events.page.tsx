import { Stack } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import type { AppRef } from '../../../api/apps.ts';
import { type AnalyticsFilter, type EventRow, useEvents } from '../../../api/telemetry/analytics.ts';
import { useBreakdown } from '../../../api/telemetry/explore.ts';
import { formatChange, formatNumber, formatRatio, formatShare } from '../../../components/charts/numbers.ts';
import { LabeledSparkline } from '../../../components/charts/sparkline.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import type { Column } from '../../../components/tables/table.ts';
import { ButtonLink, NameLink } from '../../../components/text/links.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import { AnalyticsBar, useAnalyticsFilter, useFilterParams } from '../analytics-bar.tsx';

const MAX_TRENDS = 200;
const DAY = 86_400_000;

/** Daily counts of the most frequent events, by name. */
function useTrends(appRef: AppRef, { start, end = start, versions }: AnalyticsFilter): ReadonlyMap<string, number[]> {
  const { data } = useBreakdown(appRef, {
    start: `${start.slice(0, 10)}T00:00:00Z`,
    // The last day is included.
    end: new Date(Date.parse(end.slice(0, 10)) + DAY).toISOString(),
    ...(versions === undefined ? {} : { versions }),
    measure: 'events',
    by: 'event',
    interval: 'P1D',
    $top: MAX_TRENDS,
  });
  return new Map(data?.groups.map(({ values: [name = ''], counts }) => [name, counts]));
}

export default function EventsPage() {
  const { appRef, params } = useCurrentApp();
  const { filter, isCompared } = useAnalyticsFilter();
  const query = useFilterParams();
  const events = useEvents(appRef, filter);
  const trends = useTrends(appRef, filter);
  const total = events.data?.total_devices ?? 0;
  const endsToday = filter.end === undefined;
  const change = (now: number, before: number) => formatChange(now, before) ?? (now > 0 && before === 0 ? 'New' : '—');
  const columns: (Column<EventRow> | false)[] = [
    {
      id: 'event',
      label: 'Event',
      text: ({ name }) => name,
      cell: ({ name }) => <NameLink to={pathTo('appEvent', { ...params, event: name }, query)}>{name}</NameLink>,
    },
    {
      id: 'count',
      label: 'Count',
      isNumber: true,
      width: 110,
      mobileDisplay: 'label',
      text: ({ count }) => count,
      cell: ({ count }) => formatNumber(count),
    },
    {
      id: 'trend',
      label: 'Trend',
      width: 130,
      isSecondary: true,
      mobileDisplay: 'hidden',
      cell: ({ name }) => {
        const counts = trends.get(name);
        return counts && counts.length > 1 ? (
          <LabeledSparkline label={name} values={counts} endsToday={endsToday} />
        ) : (
          '—'
        );
      },
    },
    isCompared && {
      id: 'change_of_count',
      label: 'Change of count',
      width: 150,
      text: ({ count, previous_count }) => count - previous_count,
      cell: ({ count, previous_count }) => change(count, previous_count),
    },
    {
      id: 'devices',
      label: 'Devices',
      isNumber: true,
      width: 110,
      mobileDisplay: 'label',
      text: ({ device_count }) => device_count,
      cell: ({ device_count }) => formatNumber(device_count),
    },
    {
      id: 'share_of_devices',
      label: 'Share of devices',
      width: 130,
      isSecondary: true,
      text: ({ device_count }) => device_count,
      cell: ({ device_count }) => formatShare(device_count, total),
    },
    {
      id: 'per_device',
      label: 'Per device',
      isNumber: true,
      width: 110,
      isSecondary: true,
      text: ({ count_per_device }) => count_per_device,
      cell: ({ count_per_device }) => formatRatio(count_per_device),
    },
    {
      id: 'per_session',
      label: 'Per session',
      width: 115,
      isSecondary: true,
      text: ({ count_per_session }) => count_per_session,
      cell: ({ count_per_session }) => formatRatio(count_per_session),
    },
  ];
  return (
    <Page title="Events" description="Custom events that your app tracks.">
      <Stack gap="md">
        <AnalyticsBar />
        <DataTable
          id="events"
          label="Events"
          search="Search events"
          query={{ ...events, data: events.data?.events }}
          rowKey={({ id }) => id}
          columns={columns.filter((column) => column !== false)}
          empty={
            <EmptyState
              icon={<IconBolt size={32} aria-hidden />}
              action={<ButtonLink to={pathTo('appAnalyticsSetUp', params)}>Set up SDK</ButtonLink>}
            >
              No events in this period. Send them with Analytics.trackEvent(name).
            </EmptyState>
          }
        />
      </Stack>
    </Page>
  );
}
