import { ActionIcon, Autocomplete, Button, Group, NativeSelect, Stack, Text, Tooltip } from '@mantine/core';
import { MAX_FUNNEL_STEPS } from '@mooring/contract';
import { IconFilter, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useEvents } from '../../../api/telemetry/analytics.ts';
import { useFunnel } from '../../../api/telemetry/explore.ts';
import { ChartFrame } from '../../../components/charts/chart-frame.tsx';
import { formatNumber, formatShare } from '../../../components/charts/numbers.ts';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { useUrlChange, useUrlState } from '../../../routing/url-state.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics-bar.tsx';
import { stepsFromText, stepsToText } from '../explore/chart-url.ts';
import { SaveChart } from '../explore/save-chart.tsx';
import classes from './funnel.module.css';

const windows = { 3600: '1 hour', 86400: '1 day', 604800: '7 days', 2592000: '30 days' } as const;
const DEFAULT_WINDOW = '604800';
const HEIGHT = 240;

/** Devices that complete a sequence of events. */
export default function FunnelPage() {
  const { appRef } = useCurrentApp();
  const { filter, days, versions } = useAnalyticsFilter();
  const [text] = useUrlState('steps');
  const [within] = useUrlState('within');
  const steps = stepsFromText(text);
  const within_seconds = Number(Object.hasOwn(windows, within) ? within : DEFAULT_WINDOW);
  const isComplete = steps.length >= 2;
  const query = useFunnel(appRef, { ...filter, steps, within_seconds }, isComplete);
  const filters = versions.length > 0 ? { filters: { versions } } : {};
  return (
    <Page
      title="Funnels"
      description="How many devices complete a sequence of events, and where they stop."
      actions={
        <SaveChart
          definition={isComplete ? { kind: 'funnel', days: days.days, steps, within_seconds, ...filters } : undefined}
        />
      }
    >
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <Steps />
        {isComplete ? (
          <ChartFrame
            title="Devices by step"
            description="Steps count in this order. Other events may happen in between."
            query={query}
            height={HEIGHT}
            table={({ steps }) => ({
              head: ['Step', 'Devices', 'Of first step', 'Of previous step'],
              rows: steps.map(({ event, device_count, of_first, of_previous }, at) => [
                `${at + 1}. ${event}`,
                device_count,
                formatShare(of_first, 1),
                formatShare(of_previous, 1),
              ]),
            })}
          >
            {({ steps }) => (
              <ol className={classes.steps}>
                {steps.map(({ event, device_count, of_first, of_previous }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
                  <li key={at}>
                    <Group justify="space-between" gap="xs" wrap="nowrap">
                      <Text size="sm" fw={500} truncate>
                        {at + 1}. {event}
                      </Text>
                      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                        {formatNumber(device_count)} · {formatShare(of_first, 1)}
                      </Text>
                    </Group>
                    <div className={classes.track} aria-hidden>
                      <div className={classes.bar} style={{ width: `${100 * of_first}%` }} />
                    </div>
                    {at > 0 && (
                      <Text size="xs" c="dimmed">
                        {formatShare(of_previous, 1)} continued, {formatShare(1 - of_previous, 1)} stopped
                      </Text>
                    )}
                  </li>
                ))}
              </ol>
            )}
          </ChartFrame>
        ) : (
          <EmptyState icon={<IconFilter size={32} aria-hidden />}>
            No steps yet. Add at least two events in the order they happen.
          </EmptyState>
        )}
      </Stack>
    </Page>
  );
}

/** Steps of the funnel, kept in the URL. */
function Steps() {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const [text] = useUrlState('steps');
  const [within] = useUrlState('within');
  const change = useUrlChange();
  const steps = stepsFromText(text);
  const [next, setNext] = useState('');
  const eventNames = useEvents(appRef, filter).data?.events.map(({ name }) => name) ?? [];
  const put = (all: typeof steps) => change({ steps: stepsToText(all) });
  const add = (event: string) => {
    if (event.trim() === '' || steps.length >= MAX_FUNNEL_STEPS) return;
    put([...steps, { event }]);
    setNext('');
  };
  return (
    <Stack gap="xs" component="section" aria-label="Steps">
      {steps.map(({ event, property, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
        <Group key={at} gap="xs">
          <Text size="sm">
            {at + 1}. {event}
            {property && ` where ${property} is ${value}`}
          </Text>
          <Tooltip label="Remove step" openDelay={400}>
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
          data={[...new Set(eventNames)]}
          value={next}
          onChange={setNext}
          onOptionSubmit={add}
          onKeyDown={(event) => event.key === 'Enter' && add(next)}
          disabled={steps.length >= MAX_FUNNEL_STEPS}
          limit={50}
          w={240}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={next.trim() === '' || steps.length >= MAX_FUNNEL_STEPS}
          onClick={() => add(next)}
        >
          Add step
        </Button>
        <NativeSelect
          label="Complete all steps within"
          size="xs"
          value={within || DEFAULT_WINDOW}
          onChange={({ currentTarget: { value } }) => change({ within: value === DEFAULT_WINDOW ? undefined : value })}
          data={Object.entries(windows).map(([value, label]) => ({ value, label }))}
        />
      </Group>
    </Stack>
  );
}
