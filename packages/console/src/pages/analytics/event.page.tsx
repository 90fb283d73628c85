import { Button, SimpleGrid, Stack } from '@mantine/core';
import { Analytics_EventsDelete } from '@mooring/contract';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate, useParams } from 'react-router';
import { useDeleteEvent, useEvent, useEventProperties, useEventPropertyValues } from '../../api/analytics.ts';
import { BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { asRatio } from '../../parts/charts/numbers.ts';
import { Loaded, type Reading } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { pathTo } from '../../paths.ts';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';
import { type Figure, ReadFigure } from './figure.tsx';

const CHART = 240;
const LIST = 130;

export default function EventPage() {
  const { event: name = '' } = useParams();
  const { appRef, params, may } = useAppHere();
  const { asked, isCompared } = useAsked();
  const reading = useEvent(appRef, name, asked);
  const properties = useEventProperties(appRef, name);
  const navigate = useNavigate();
  const deletion = useDeleteEvent(appRef);
  const deleting = useQuestion<string>({
    title: () => `Delete ${name}?`,
    action: 'Delete',
    loss: () =>
      'All that came of this event until now is gone at once, and cannot be brought back. What comes later counts.',
    doing: {
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
    value: (data: NonNullable<typeof reading.data>) => [now: number, before: number],
  ): Reading<Figure> => {
    const found = reading.data && value(reading.data);
    return { ...reading, data: found && { value: found[0], ...(isCompared ? { previous: found[1] } : {}) } };
  };
  return (
    <Page
      title={name}
      lead="How often it happens, on how many devices, and what it comes with."
      actions={
        may(Analytics_EventsDelete) && (
          <Button
            variant="default"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => deleting.ask(name)}
          >
            Delete
          </Button>
        )
      }
    >
      <Stack gap="md">
        <AnalyticsBar />
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
          <ReadFigure
            label="Times"
            reading={figure(({ counts }) => [counts.total_count, counts.previous_total_count])}
          />
          <ReadFigure
            label="Devices"
            reading={figure(({ devices }) => [
              devices.total_devices_with_event,
              devices.previous_total_devices_with_event,
            ])}
          />
          <ReadFigure
            label="Times per device"
            format={asRatio}
            reading={figure(({ perDevice }) => [
              perDevice.avg_count_per_device,
              perDevice.previous_avg_count_per_device,
            ])}
          />
          <ReadFigure
            label="Times per session"
            format={asRatio}
            reading={figure(({ perSession }) => [
              perSession.avg_count_per_session,
              perSession.previous_avg_count_per_session,
            ])}
          />
        </SimpleGrid>
        <ChartFrame
          title="Times and devices by day"
          reading={reading}
          height={CHART}
          table={({ counts, devices }) => ({
            head: ['Day', 'Times', 'Devices'],
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
                { name: 'Times', values: counts.count.map(({ count }) => count) },
                { name: 'Devices', values: devices.devices_count.map(({ count }) => count) },
              ]}
            />
          )}
        </ChartFrame>
        <Part title="Properties" lead="What the event came with, most frequent values first.">
          <Loaded reading={properties}>
            {({ event_properties }) =>
              event_properties.length > 0 ? (
                <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
                  {event_properties.map((property) => (
                    <Property key={property} event={name} property={property} />
                  ))}
                </SimpleGrid>
              ) : (
                <BarList of="Value" what="Times" bars={[]} total={0} />
              )
            }
          </Loaded>
        </Part>
      </Stack>
      {deleting.dialog}
    </Page>
  );
}

const SHOWN = 8;

function Property({ event, property }: { event: string; property: string }) {
  const { appRef } = useAppHere();
  const { asked, isCompared } = useAsked();
  const reading = useEventPropertyValues(appRef, event, property, asked);
  return (
    <ChartFrame
      title={property}
      reading={reading}
      height={LIST}
      isTable
      table={({ values }) => ({
        head: ['Value', 'Times', 'Before'],
        rows: values.map(({ name, count, previous_count }) => [name, count, previous_count]),
      })}
    >
      {({ total, values }) => {
        const shown = values.slice(0, SHOWN);
        const others = total - shown.reduce((sum, { count }) => sum + count, 0);
        return (
          <BarList
            of="Value"
            what="Times"
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
