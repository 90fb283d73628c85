import { Group, Paper, Stack, Text } from '@mantine/core';
import { useLinkedTestRuns } from '../../api/builds/tests.ts';
import { Section } from '../../components/layout/page.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { getRunName, getSeries, ResultBadge } from './run-labels.tsx';

/** Test runs of a release or build; renders nothing if there are none. */
export function LinkedTestRuns(query: { release_id?: number; build_id?: number }) {
  const { appRef, params } = useCurrentApp();
  const { data: runs = [] } = useLinkedTestRuns(appRef, query);
  if (runs.length === 0) return null;
  return (
    <Section title="Tests">
      <Stack gap="xs">
        {runs.map((run) => (
          <Paper key={run.id} withBorder p="sm">
            <Group gap="md">
              <NameLink to={pathTo('appTestRun', { ...params, series: getSeries(run), run: run.id })}>
                {getRunName(run)}
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
    </Section>
  );
}
