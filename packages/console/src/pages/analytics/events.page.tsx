import { Stack } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { type EventRow, useEvents } from '../../api/analytics.ts';
import { asChange, asRatio, asShare, inFull } from '../../parts/charts/numbers.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { pathTo } from '../../paths.ts';
import { AnalyticsBar, useAsked, useAskedQuery } from './analytics-bar.tsx';

export default function EventsPage() {
  const { appRef, params } = useAppHere();
  const { asked, isCompared } = useAsked();
  const query = useAskedQuery();
  const events = useEvents(appRef, asked);
  const total = events.data?.total_devices ?? 0;
  const change = (now: number, before: number) => asChange(now, before) ?? (now > 0 ? 'new' : '—');
  const columns: (Column<EventRow> | false)[] = [
    {
      label: 'Event',
      text: ({ name }) => name,
      cell: ({ name }) => <NameLink to={pathTo('appEvent', { ...params, event: name }, query)}>{name}</NameLink>,
    },
    { label: 'Count', width: 110, onPhone: 'label', text: ({ count }) => count, cell: ({ count }) => inFull(count) },
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
