import { ActionIcon, Autocomplete, Button, Group, NativeSelect, Stack, Text, Tooltip } from '@mantine/core';
import { MOST_FUNNEL_STEPS } from '@mooring/contract';
import { IconFilter, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useEvents } from '../../api/analytics.ts';
import { useFunnel } from '../../api/explore.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { asShare, inFull } from '../../parts/charts/numbers.ts';
import { Empty } from '../../parts/empty.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useUrlChange, useUrlState } from '../../parts/url-state.ts';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';
import { stepsFromText, stepsToText } from './chart-url.ts';
import classes from './funnel.module.css';
import { KeepChart } from './keep-chart.tsx';

const windows = { 3600: '1 hour', 86400: '1 day', 604800: '7 days', 2592000: '30 days' } as const;
const USUAL_WINDOW = '604800';
const HEIGHT = 240;

/** How many do one thing after the other, and where they stop. */
export default function FunnelPage() {
  const { appRef } = useAppHere();
  const { asked, days, versions } = useAsked();
  const [text] = useUrlState('steps');
  const [within] = useUrlState('within');
  const steps = stepsFromText(text);
  const within_seconds = Number(Object.hasOwn(windows, within) ? within : USUAL_WINDOW);
  const isComplete = steps.length >= 2;
  const reading = useFunnel(appRef, { ...asked, steps, within_seconds }, isComplete);
  const filters = versions.length > 0 ? { filters: { versions } } : {};
  return (
    <Page
      title="Funnels"
      lead="How many devices do one thing after the other, and where they stop."
      actions={
        <KeepChart
          question={isComplete ? { kind: 'funnel', days: days.days, steps, within_seconds, ...filters } : undefined}
        />
      }
    >
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <Steps />
        {isComplete ? (
          <ChartFrame
            title="Devices by step"
            lead="Each step later than the one before; whatever happens in between."
            reading={reading}
            height={HEIGHT}
            table={({ steps }) => ({
              head: ['Step', 'Devices', 'Of the first', 'Of the step before'],
              rows: steps.map(({ event, device_count, of_first, of_previous }, at) => [
                `${at + 1}. ${event}`,
                device_count,
                asShare(of_first, 1),
                asShare(of_previous, 1),
              ]),
            })}
          >
            {({ steps }) => (
              <ol className={classes.steps}>
                {steps.map(({ event, device_count, of_first, of_previous }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place.
                  <li key={at}>
                    <Group justify="space-between" gap="xs" wrap="nowrap">
                      <Text size="sm" fw={500} truncate>
                        {at + 1}. {event}
                      </Text>
                      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                        {inFull(device_count)} · {asShare(of_first, 1)}
                      </Text>
                    </Group>
                    <div className={classes.track} aria-hidden>
                      <div className={classes.bar} style={{ width: `${100 * of_first}%` }} />
                    </div>
                    {at > 0 && (
                      <Text size="xs" c="dimmed">
                        {asShare(of_previous, 1)} went on, {asShare(1 - of_previous, 1)} stopped before
                      </Text>
                    )}
                  </li>
                ))}
              </ol>
            )}
          </ChartFrame>
        ) : (
          <Empty icon={<IconFilter size={32} aria-hidden />}>
            Choose two events or more, in the order in which they happen.
          </Empty>
        )}
      </Stack>
    </Page>
  );
}

/** The events that are asked for, one after the other; they live in the address. */
function Steps() {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  const [text] = useUrlState('steps');
  const [within] = useUrlState('within');
  const change = useUrlChange();
  const steps = stepsFromText(text);
  const [next, setNext] = useState('');
  const known = useEvents(appRef, asked).data?.events.map(({ name }) => name) ?? [];
  const put = (all: typeof steps) => change({ steps: stepsToText(all) });
  const add = (event: string) => {
    if (event.trim() === '' || steps.length >= MOST_FUNNEL_STEPS) return;
    put([...steps, { event }]);
    setNext('');
  };
  return (
    <Stack gap="xs" component="section" aria-label="Steps">
      {steps.map(({ event, property, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place.
        <Group key={at} gap="xs">
          <Text size="sm">
            {at + 1}. {event}
            {property && ` where ${property} is ${value}`}
          </Text>
          <Tooltip label="Remove this step" openDelay={400}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Remove step ${at + 1}, ${event}`}
              onClick={() => put(steps.filter((_, other) => other !== at))}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      ))}
      <Group align="flex-end" gap="sm">
        <Autocomplete
          label={steps.length === 0 ? 'First event' : 'Next event'}
          size="xs"
          data={[...new Set(known)]}
          value={next}
          onChange={setNext}
          onOptionSubmit={add}
          onKeyDown={(event) => event.key === 'Enter' && add(next)}
          disabled={steps.length >= MOST_FUNNEL_STEPS}
          limit={50}
          w={240}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={next.trim() === '' || steps.length >= MOST_FUNNEL_STEPS}
          onClick={() => add(next)}
        >
          Add step
        </Button>
        <NativeSelect
          label="From the first to the last within"
          size="xs"
          value={within || USUAL_WINDOW}
          onChange={({ currentTarget: { value } }) => change({ within: value === USUAL_WINDOW ? undefined : value })}
          data={Object.entries(windows).map(([value, label]) => ({ value, label }))}
        />
      </Group>
    </Stack>
  );
}
