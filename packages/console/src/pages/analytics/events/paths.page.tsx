import { Autocomplete, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { useEvents } from '../../../api/telemetry/analytics.ts';
import { useSessionPaths } from '../../../api/telemetry/explore.ts';
import { BarList } from '../../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../../components/charts/chart-frame.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { useUrlState } from '../../../routing/url-state.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics-bar.tsx';

const lengths = ['3', '5', '8', '10'];
const DEFAULT_LENGTH = '5';
const HEIGHT = 320;
/** The CSV file contains all rows. */
const VISIBLE_PATHS = 20;
const MAX_PATHS = 100;

/** Sequences of events in sessions. */
export default function PathsPage() {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const [from, setFrom] = useUrlState('from');
  const [requestedLength, setLength] = useUrlState('length');
  const [typed, setTyped] = useState(from);
  const length = lengths.includes(requestedLength) ? requestedLength : DEFAULT_LENGTH;
  const names = useEvents(appRef, filter).data?.events.map(({ name }) => name) ?? [];
  const query = useSessionPaths(appRef, {
    ...filter,
    length: Number(length),
    $top: MAX_PATHS,
    ...(from ? { from: from.slice(0, 256) } : {}),
  });
  return (
    <Page title="Paths" description="Sequences of events and pages in a session.">
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <Group align="flex-end" gap="sm">
          <Autocomplete
            label="Start with"
            description="Event or page name. Default: the start of the session."
            size="xs"
            w={300}
            maxLength={256}
            data={[...new Set(names)]}
            value={typed}
            onChange={setTyped}
            onOptionSubmit={setFrom}
            onBlur={() => setFrom(typed)}
            onKeyDown={({ key }) => key === 'Enter' && setFrom(typed)}
          />
          <NativeSelect
            label="Steps"
            size="xs"
            w={100}
            value={length}
            onChange={({ currentTarget }) => setLength(currentTarget.value)}
            data={lengths}
          />
        </Group>
        <ChartFrame
          title="Most frequent paths"
          description="Consecutive repeats count as one step."
          query={query}
          height={HEIGHT}
          isTable
          table={({ paths }) => ({
            head: ['Sessions', ...Array.from({ length: Number(length) }, (_, at) => `Step ${at + 1}`)],
            rows: paths.map(({ names, session_count }) => [session_count, ...names]),
          })}
        >
          {({ paths, session_count }) => (
            <BarList
              dimension="Path"
              measure="Sessions"
              total={session_count}
              bars={paths
                .slice(0, VISIBLE_PATHS)
                .map(({ names, session_count: count }) => ({ name: names.join(' → '), count }))}
            />
          )}
        </ChartFrame>
      </Stack>
    </Page>
  );
}
