import { Stack } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { type Asked, type EventRow, useEvents } from '../../api/analytics.ts';
import type { AppRef } from '../../api/apps.ts';
import { useBreakdown } from '../../api/explore.ts';
import { asChange, asRatio, asShare, inFull } from '../../parts/charts/numbers.ts';
import { ToldSparkline } from '../../parts/charts/sparkline.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { pathTo } from '../../paths.ts';
import { AnalyticsBar, useAsked, useAskedQuery } from './analytics-bar.tsx';

const MOST_TRENDS = 200;
const DAY = 86_400_000;

/** The most frequent events day by day, by their names. */
function useTrends(appRef: AppRef, { start, end = start, versions }: Asked): ReadonlyMap<string, number[]> {
  const { data } = useBreakdown(appRef, {
    start: `${start.slice(0, 10)}T00:00:00Z`,
    // The last day is meant as a whole.
    end: new Date(Date.parse(end.slice(0, 10)) + DAY).toISOString(),
    ...(versions === undefined ? {} : { versions }),
    measure: 'events',
    by: 'event',
    interval: 'P1D',
    $top: MOST_TRENDS,
  });
  return new Map(data?.groups.map(({ values: [name = ''], counts }) => [name, counts]));
}

export default function EventsPage() {
  const { appRef, params } = useAppHere();
  const { asked, isCompared } = useAsked();
  const query = useAskedQuery();
  const events = useEvents(appRef, asked);
  const trends = useTrends(appRef, asked);
  const total = events.data?.total_devices ?? 0;
  const change = (now: number, before: number) => asChange(now, before) ?? (now > 0 ? 'new' : '—');
  const columns: (Column<EventRow> | false)[] = [
    {
      label: 'Event',
      text: ({ name }) => name,
      cell: ({ name }) => <NameLink to={pathTo('appEvent', { ...params, event: name }, query)}>{name}</NameLink>,
    },
    { label: 'Count', width: 110, onPhone: 'label', text: ({ count }) => count, cell: ({ count }) => inFull(count) },
    {
      label: 'Trend',
      width: 130,
      isSecondary: true,
      onPhone: 'hidden',
      cell: ({ name }) => {
        const counts = trends.get(name);
        return counts && counts.length > 1 ? <ToldSparkline label={name} values={counts} /> : '—';
      },
    },
    isCompared && {
      label: 'Change of count',
      width: 150,
      text: ({ count, previous_count }) => count - previous_count,
      cell: ({ count, previous_count }) => change(count, previous_count),
    },
    {
      label: 'Devices',
      width: 110,
      onPhone: 'label',
      text: ({ device_count }) => device_count,
      cell: ({ device_count }) => inFull(device_count),
    },
    {
      label: 'Of all devices',
      width: 130,
      isSecondary: true,
      text: ({ device_count }) => device_count,
      cell: ({ device_count }) => asShare(device_count, total),
    },
    {
      label: 'Per device',
      width: 110,
      isSecondary: true,
      text: ({ count_per_device }) => count_per_device,
      cell: ({ count_per_device }) => asRatio(count_per_device),
    },
    {
      label: 'Per session',
      width: 115,
      isSecondary: true,
      text: ({ count_per_session }) => count_per_session,
      cell: ({ count_per_session }) => asRatio(count_per_session),
    },
  ];
  return (
    <Page title="Events" lead="What people do in the app, by name.">
      <Stack gap="md">
        <AnalyticsBar />
        <DataTable
          label="Events"
          search="Search events"
          reading={{ ...events, data: events.data?.events }}
          keyOf={({ id }) => id}
          columns={columns.filter((column) => column !== false)}
          empty={
            <Empty
              icon={<IconBolt size={32} aria-hidden />}
              action={<ButtonLink to={pathTo('appAnalyticsSetUp', params)}>Set up</ButtonLink>}
            >
              No event came in this time. Apps send them by Analytics.trackEvent(name).
            </Empty>
          }
        />
      </Stack>
    </Page>
  );
}
