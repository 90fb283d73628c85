import { Badge, Group, Paper, Select, Stack, Table, Text } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { type TestComparison, type TestRun, useTestComparison, useTestRuns } from '../../api/tests.ts';
import { NameLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlChange } from '../../parts/url-state.ts';
import { pathTo } from '../../paths.ts';
import { nameOfRun, ResultBadge, seconds, seriesOf } from './run-words.tsx';

/** Names of tests are long, and have no spaces. */
const anywhere = { overflowWrap: 'anywhere' } as const;

type Change = TestComparison['tests'][number]['change'];

const changes: Record<Change, { title: string; color: string }> = {
  newly_failing: { title: 'newly failing', color: 'red' },
  still_failing: { title: 'still failing', color: 'yellow' },
  fixed: { title: 'fixed', color: 'green' },
  not_run: { title: 'did not run', color: 'gray' },
  added: { title: 'added', color: 'blue' },
};

export default function TestComparisonPage() {
  const { run: id = '' } = useParams();
  const [params] = useSearchParams();
  const other = params.get('with') ?? undefined;
  const { appRef } = useAppHere();
  return (
    <Page title="Two runs" lead="What fails that did not, what was fixed, and what takes longer.">
      <Chooser id={id} other={other} />
      <Loaded reading={useTestComparison(appRef, id, other)}>{(compared) => <Comparison compared={compared} />}</Loaded>
    </Page>
  );
}

/** With which run it is compared. */
function Chooser({ id, other }: { id: string; other: string | undefined }) {
  const { appRef } = useAppHere();
  const change = useUrlChange();
  const { data = [] } = useTestRuns(appRef);
  const choices = data.filter((run) => run.id !== id && run.runStatus === 'finished');
  return (
    <Select
      label="Compared with"
      placeholder="The run before"
      clearable
      maw={420}
      value={other ?? null}
      onChange={(value) => change({ with: value ?? undefined })}
      data={choices.map((run) => ({
        value: run.id,
        label: `${nameOfRun(run)}, ${run.date.slice(0, 16).replace('T', ' ')} UTC, ${run.resultStatus}`,
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
          <RunLine label="Compared with" run={before} />
        </Stack>
      </Paper>
      <Part title="Tests">
        {tests.length === 0 && <Text c="dimmed">Every test went as it did before, and none fails.</Text>}
        {tests.length > 0 && (
          <Table layout="fixed" aria-label="Tests that differ">
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
      </Part>
      {durations.length > 0 && (
        <Part title="Durations" lead="Of tests that passed both times, those that differ the most.">
          <Table layout="fixed" aria-label="Durations">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Test</Table.Th>
                <Table.Th w={80}>Before</Table.Th>
                <Table.Th w={80}>Now</Table.Th>
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
        </Part>
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
  const { params } = useAppHere();
  const { stats } = run;
  return (
    <Group gap="md">
      <Text size="sm" w={110}>
        {label}
      </Text>
      <NameLink to={pathTo('appTestRun', { ...params, series: seriesOf(run), run: run.id })}>{nameOfRun(run)}</NameLink>
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
