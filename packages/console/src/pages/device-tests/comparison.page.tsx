import { Badge, Group, Paper, Select, Stack, Table, Text } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { type TestComparison, type TestRun, useTestComparison, useTestRuns } from '../../api/builds/tests.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { useUrlChange } from '../../routing/url-state.ts';
import { getRunName, getSeries, ResultBadge, seconds } from './run-labels.tsx';

/** Test names are long, without spaces. */
const anywhere = { overflowWrap: 'anywhere' } as const;

type Change = TestComparison['tests'][number]['change'];

const changes: Record<Change, { title: string; color: string }> = {
  newly_failing: { title: 'Newly failing', color: 'red' },
  still_failing: { title: 'Still failing', color: 'yellow' },
  fixed: { title: 'Fixed', color: 'green' },
  not_run: { title: 'Not run', color: 'gray' },
  added: { title: 'Added', color: 'blue' },
};

export default function TestComparisonPage() {
  const { run: id = '' } = useParams();
  const [params] = useSearchParams();
  const other = params.get('with') ?? undefined;
  const { appRef } = useCurrentApp();
  return (
    <Page title="Compare test runs" description="New failures, fixed tests and changed durations.">
      <Chooser id={id} other={other} />
      <QueryBoundary query={useTestComparison(appRef, id, other)}>
        {(compared) => <Comparison compared={compared} />}
      </QueryBoundary>
    </Page>
  );
}

/** Selects the run to compare with. */
function Chooser({ id, other }: { id: string; other: string | undefined }) {
  const { appRef } = useCurrentApp();
  const change = useUrlChange();
  const { data = [] } = useTestRuns(appRef);
  const choices = data.filter((run) => run.id !== id && run.runStatus === 'finished');
  return (
    <Select
      label="Compare with"
      placeholder="Previous run"
      clearable
      maw={420}
      value={other ?? null}
      onChange={(value) => change({ with: value ?? undefined })}
      data={choices.map((run) => ({
        value: run.id,
        label: `${getRunName(run)}, ${run.resultStatus}`,
      }))}
    />
  );
}

function Comparison({ compared: { run, before, tests, durations } }: { compared: TestComparison }) {
  return (
    <Stack gap="lg">
      <Paper withBorder p="md">
        <Stack gap="xs">
          <RunLine label="This run" run={run} />
          <RunLine label="Compare with" run={before} />
        </Stack>
      </Paper>
      <Section title="Tests">
        {tests.length === 0 && <Text c="dimmed">No differences, and no failing tests.</Text>}
        {tests.length > 0 && (
          <Table layout="fixed" aria-label="Changed tests">
            <Table.Tbody>
              {tests.map(({ change, suite, test, message }) => (
                <Table.Tr key={`${suite} ${test}`}>
                  <Table.Td w={140}>
                    <Badge color={changes[change].color}>{changes[change].title}</Badge>
                  </Table.Td>
                  <Table.Td>
                    <TestName suite={suite} test={test} />
                    {message && (
                      <Text size="sm" style={anywhere}>
                        {message}
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Section>
      {durations.length > 0 && (
        <Section title="Durations" description="Largest changes among tests that passed in both runs.">
          <Table layout="fixed" aria-label="Durations">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Test</Table.Th>
                <Table.Th w={80}>Previous</Table.Th>
                <Table.Th w={80}>Current</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {durations.map(({ suite, test, milliseconds_before, milliseconds }) => (
                <Table.Tr key={`${suite} ${test}`}>
                  <Table.Td>
                    <TestName suite={suite} test={test} />
                  </Table.Td>
                  <Table.Td>{seconds(milliseconds_before)}</Table.Td>
                  <Table.Td>{seconds(milliseconds)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Section>
      )}
    </Stack>
  );
}

const TestName = ({ suite, test }: { suite: string; test: string }) => (
  <Stack gap={0}>
    <Text size="sm" fw={600} style={anywhere}>
      {test}
    </Text>
    <Text size="xs" c="dimmed" style={anywhere}>
      {suite}
    </Text>
  </Stack>
);

function RunLine({ label, run }: { label: string; run: TestRun }) {
  const { params } = useCurrentApp();
  const { stats } = run;
  return (
    <Group gap="md">
      <Text size="sm" w={110}>
        {label}
      </Text>
      <NameLink to={pathTo('appTestRun', { ...params, series: getSeries(run), run: run.id })}>
        {getRunName(run)}
      </NameLink>
      <ResultBadge run={run} />
      <Text size="sm">
        {stats.passed} passed, {stats.failed} failed, {stats.skipped} skipped
      </Text>
      <Text size="sm">
        <Time at={run.date} />
      </Text>
    </Group>
  );
}
