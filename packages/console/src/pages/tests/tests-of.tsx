import { Group, Paper, Stack, Text } from '@mantine/core';
import { useTestRunsOf } from '../../api/tests.ts';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { nameOfRun, ResultBadge, seriesOf } from './run-words.tsx';

/** The test runs of a release or a build; nothing is said where there are none. */
export function TestsOf(query: { release_id?: number; build_id?: number }) {
  const { appRef, params } = useAppHere();
  const { data: runs = [] } = useTestRunsOf(appRef, query);
  if (runs.length === 0) return null;
  return (
    <Part title="Tests">
      <Stack gap="xs">
        {runs.map((run) => (
          <Paper key={run.id} withBorder p="sm">
            <Group gap="md">
              <NameLink to={pathTo('appTestRun', { ...params, series: seriesOf(run), run: run.id })}>
                {nameOfRun(run)}
              </NameLink>
              <ResultBadge run={run} />
              <Text size="sm">
                {run.stats.passed} passed, {run.stats.failed} failed
              </Text>
              <Text size="sm" c="dimmed">
                <Time at={run.date} />
              </Text>
            </Group>
          </Paper>
        ))}
      </Stack>
    </Part>
  );
}
