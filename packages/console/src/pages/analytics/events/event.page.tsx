import { Button, SimpleGrid, Stack } from '@mantine/core';
import { Analytics_EventsDelete } from '@mooring/contract';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate, useParams } from 'react-router';
import {
  useDeleteEvent,
  useEvent,
  useEventProperties,
  useEventPropertyValues,
} from '../../../api/telemetry/analytics.ts';
import { BarList } from '../../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../../components/charts/chart-frame.tsx';
import { LineChart } from '../../../components/charts/line-chart.tsx';
import { formatRatio } from '../../../components/charts/numbers.ts';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { QueryBoundary, type QueryState } from '../../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../../components/layout/page.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics-bar.tsx';
import { type Figure, ReadFigure } from '../figure.tsx';

const CHART = 240;
const LIST = 130;

export default function EventPage() {
  const { event: name = '' } = useParams();
  const { appRef, params, can } = useCurrentApp();
  const { filter, isCompared } = useAnalyticsFilter();
  const query = useEvent(appRef, name, filter);
  const properties = useEventProperties(appRef, name);
  const navigate = useNavigate();
  const deletion = useDeleteEvent(appRef);
  const deleting = useConfirm<string>({
    title: () => `Delete event ${name}?`,
    action: 'Delete event',
    consequence: () =>
      'Deletes all data of this event received so far. Data that arrives later is counted again. This cannot be undone.',
    openDialog: {
      ...deletion,
      mutate: (event, options) =>
        deletion.mutate(event, {
          onSuccess: () => {
            options.onSuccess();
            void navigate(pathTo('appEvents', params));
          },
        }),
    },
  });
  const figure = (
    value: (data: NonNullable<typeof query.data>) => [now: number, before: number],
  ): QueryState<Figure> => {
    const current = query.data && value(query.data);
    return { ...query, data: current && { value: current[0], ...(isCompared ? { previous: current[1] } : {}) } };
  };
  return (
    <Page
      title={name}
      description="Occurrences, devices and properties of this event."
      actions={
        can(Analytics_EventsDelete) && (
          <Button
            variant="default"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => deleting.open(name)}
          >
            Delete event
          </Button>
        )
      }
    >
      <Stack gap="md">
        <AnalyticsBar />
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
          <ReadFigure
            label="Events"
            query={figure(({ counts }) => [counts.total_count, counts.previous_total_count])}
          />
          <ReadFigure
            label="Devices"
            query={figure(({ devices }) => [
              devices.total_devices_with_event,
              devices.previous_total_devices_with_event,
            ])}
          />
          <ReadFigure
            label="Events per device"
            isAverage
            format={formatRatio}
            query={figure(({ perDevice }) => [perDevice.avg_count_per_device, perDevice.previous_avg_count_per_device])}
          />
          <ReadFigure
            label="Events per session"
            isAverage
            format={formatRatio}
            query={figure(({ perSession }) => [
              perSession.avg_count_per_session,
              perSession.previous_avg_count_per_session,
            ])}
          />
        </SimpleGrid>
        <ChartFrame
          title="Events and devices by day"
          query={query}
          height={CHART}
          table={({ counts, devices }) => ({
            head: ['Day', 'Events', 'Devices'],
            rows: counts.count.map(({ datetime, count }, at) => [
              datetime.slice(0, 10),
              count,
              devices.devices_count[at]?.count ?? 0,
            ]),
          })}
        >
          {({ counts, devices }) => (
            <LineChart
              label={name}
              height={CHART}
              times={counts.count.map(({ datetime }) => datetime)}
              series={[
                { name: 'Events', values: counts.count.map(({ count }) => count) },
                { name: 'Devices', values: devices.devices_count.map(({ count }) => count) },
              ]}
            />
          )}
        </ChartFrame>
        <Section title="Properties" description="Values sent with the event, most frequent first.">
          <QueryBoundary query={properties}>
            {({ event_properties }) =>
              event_properties.length > 0 ? (
                <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
                  {event_properties.map((property) => (
                    <Property key={property} event={name} property={property} />
                  ))}
                </SimpleGrid>
              ) : (
                <BarList dimension="Value" measure="Events" bars={[]} total={0} />
              )
            }
          </QueryBoundary>
        </Section>
      </Stack>
      {deleting.dialog}
    </Page>
  );
}

const VISIBLE_VALUES = 8;

function Property({ event, property }: { event: string; property: string }) {
  const { appRef } = useCurrentApp();
  const { filter, isCompared } = useAnalyticsFilter();
  const query = useEventPropertyValues(appRef, event, property, filter);
  return (
    <ChartFrame
      title={property}
      query={query}
      height={LIST}
      isTable
      table={({ values }) => ({
        head: ['Value', 'Events', 'Previous'],
        rows: values.map(({ name, count, previous_count }) => [name, count, previous_count]),
      })}
    >
      {({ total, values }) => {
        const shown = values.slice(0, VISIBLE_VALUES);
        const others = total - shown.reduce((sum, { count }) => sum + count, 0);
        return (
          <BarList
            dimension="Value"
            measure="Events"
            total={total}
            bars={[
              ...shown.map(({ name, count, previous_count }) => ({
                name,
                label: name || '(empty)',
                count,
                ...(isCompared ? { previous: previous_count } : {}),
              })),
              ...(others > 0 ? [{ name: 'All other values', count: others }] : []),
            ]}
          />
        );
      }}
    </ChartFrame>
  );
}
