import { Autocomplete, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { useEvents } from '../../api/analytics.ts';
import { useSessionPaths } from '../../api/explore.ts';
import { BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';

const lengths = ['3', '5', '8', '10'];
const USUAL_LENGTH = '5';
const HEIGHT = 320;
/** The file has all that was asked for. */
const SHOWN = 20;
const ASKED = 100;

/** What happens in sessions, one thing after the other. */
export default function PathsPage() {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  const [from, setFrom] = useUrlState('from');
  const [given, setLength] = useUrlState('length');
  const [typed, setTyped] = useState(from);
  const length = lengths.includes(given) ? given : USUAL_LENGTH;
  const names = useEvents(appRef, asked).data?.events.map(({ name }) => name) ?? [];
  const reading = useSessionPaths(appRef, {
    ...asked,
    length: Number(length),
    $top: ASKED,
    ...(from ? { from: from.slice(0, 256) } : {}),
  });
  return (
    <Page title="Paths" lead="What people do in a session, one event or page after the other.">
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <Group align="flex-end" gap="sm">
          <Autocomplete
            label="Begin with"
            description="The first event or page of this name; the session, if it is empty."
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
          title="Paths that most sessions took"
          lead="What comes right after itself counts as one step."
          reading={reading}
          height={HEIGHT}
          isTable
          table={({ paths }) => ({
            head: ['Sessions', ...Array.from({ length: Number(length) }, (_, at) => `Step ${at + 1}`)],
            rows: paths.map(({ names, session_count }) => [session_count, ...names]),
          })}
        >
          {({ paths, session_count }) => (
            <BarList
              of="Path"
              what="Sessions"
              total={session_count}
              bars={paths
                .slice(0, SHOWN)
                .map(({ names, session_count: count }) => ({ name: names.join(' → '), count }))}
            />
          )}
        </ChartFrame>
      </Stack>
    </Page>
  );
}
