import { Alert, Anchor, Badge, Button, Code, Group, Image, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { test_stopTestRun, testRuns_rerun } from '@mooring/contract';
import { useParams } from 'react-router';
import {
  getFilePath,
  type Outcome,
  type RunTest,
  type TestDevice,
  type TestResults,
  useLiveRun,
  useRerun,
  useStopRun,
  useTestResults,
} from '../../api/builds/tests.ts';
import { DetailDrawer, useOpenRow } from '../../components/dialogs/detail-drawer.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { ButtonLink, TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { LazyStory } from '../releases/story/lazy-story.tsx';
import { DeviceLog } from './device-log.tsx';
import { DeviceBadge, getSeriesName, ResultBadge, StatusBadge, seconds } from './run-labels.tsx';

export default function TestRunPage() {
  const { run: id = '' } = useParams();
  const { appRef } = useCurrentApp();
  return (
    <QueryBoundary query={useTestResults(appRef, id)} isPage>
      {(results) => <RunView results={results} />}
    </QueryBoundary>
  );
}

/** Polls while the run is active. */
function Live({ id }: { id: string }) {
  useLiveRun(useCurrentApp().appRef, id);
  return null;
}

function RunView({ results }: { results: TestResults }) {
  const { run, devices, tests } = results;
  const { appRef, params, can } = useCurrentApp();
  const stop = useStopRun(appRef, run.id);
  const rerun = useRerun(appRef, run.id);
  const isDone = run.runStatus === 'finished';
  const { stats } = run;
  return (
    <Page
      title={getSeriesName(run)}
      description={run.waiting ? `${run.description}. ${run.waiting.replaceAll('`', '')}` : run.description}
      actions={
        <Group gap="xs">
          {!isDone && can(test_stopTestRun) && (
            <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
              Stop test run
            </Button>
          )}
          {isDone && (
            <ButtonLink to="compare" variant="default">
              Compare runs
            </ButtonLink>
          )}
          {isDone && run.source === 'runner' && devices.length > 0 && can(testRuns_rerun) && (
            <>
              {stats.failed > 0 && (
                <Button variant="default" loading={rerun.isPending} onClick={() => rerun.mutate(true)}>
                  Rerun failed tests
                </Button>
              )}
              <Button variant="default" loading={rerun.isPending} onClick={() => rerun.mutate(false)}>
                Rerun all tests
              </Button>
            </>
          )}
        </Group>
      }
    >
      {!isDone && <Live id={run.id} />}
      {stop.error && <Failure error={stop.error} title="Couldn't stop the test run" />}
      {rerun.error && <Failure error={rerun.error} title="Couldn't rerun the tests" />}
      {rerun.data && <Alert color="blue">Started a new test run. It appears in the list of runs.</Alert>}
      <Paper withBorder p="md">
        <Group gap="xl">
          <ResultBadge run={run} />
          <Text size="sm">{stats.passed} passed</Text>
          <Text size="sm">{stats.failed} failed</Text>
          <Text size="sm">{stats.skipped} skipped</Text>
          <Text size="sm">
            Finished on {stats.devicesFinished} of {formatCount(stats.devices, 'device')}
          </Text>
          <Text size="sm">{formatCount(stats.totalDeviceMinutes, 'device minute')}</Text>
          <Text size="sm">
            Started <Time at={run.date} />
          </Text>
          {run.releaseId !== undefined && (
            <TextLink size="sm" to={pathTo('appRelease', { ...params, release: String(run.releaseId) })}>
              Release {run.releaseId}
            </TextLink>
          )}
          {run.buildId !== undefined && (
            <TextLink size="sm" to={pathTo('appBuild', { ...params, build: String(run.buildId) })}>
              Build {run.buildId}
            </TextLink>
          )}
        </Group>
      </Paper>
      {isDone && <LazyStory query={{ test_run_id: run.id }} place="test-run" />}
      <Tests tests={tests} devices={devices} />
      <Devices devices={devices} tests={tests} />
    </Page>
  );
}

const getTestKey = ({ suite, test }: RunTest): string => `${suite} ${test}`;

/** Results by test and device, failed tests first. */
function Tests({ tests, devices }: { tests: RunTest[]; devices: TestDevice[] }) {
  const row = useOpenRow();
  const open = tests.find((one) => getTestKey(one) === row.key);
  if (tests.length === 0) return <Text c="dimmed">No test results yet</Text>;
  return (
    <Section title="Tests" description="A test passes only if it passes on every device.">
      <Table.ScrollContainer minWidth={480}>
        <Table highlightOnHover aria-label="Tests">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Test</Table.Th>
              {devices.map(({ index, name }) => (
                <Table.Th key={index}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tests.map((one) => (
              <Table.Tr key={getTestKey(one)}>
                <Table.Td>
                  <Stack gap={0}>
                    <Group gap="xs">
                      <TextLink to={row.to(getTestKey(one))}>{one.test}</TextLink>
                      {one.is_flaky && <Badge color="yellow">Flaky</Badge>}
                    </Group>
                    <Text size="xs" c="dimmed">
                      {one.suite}
                    </Text>
                  </Stack>
                </Table.Td>
                {devices.map(({ index }) => (
                  <Table.Td key={index}>
                    <Cell outcome={one.outcomes.find(({ device }) => device === index)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <DetailDrawer title={open?.test} isOpen={open !== undefined} onClose={row.close}>
        {open && <TestDetail test={open} devices={devices} />}
      </DetailDrawer>
    </Section>
  );
}

const Cell = ({ outcome }: { outcome: Outcome | undefined }) =>
  outcome ? (
    <Group gap="xs">
      <StatusBadge status={outcome.status} />
      <Text size="xs" c="dimmed">
        {seconds(outcome.milliseconds)}
      </Text>
    </Group>
  ) : (
    <Text size="sm" c="dimmed">
      —
    </Text>
  );

/** Failure reason, and steps with screenshots side by side. */
function TestDetail({ test, devices }: { test: RunTest; devices: TestDevice[] }) {
  const getDeviceName = (index: number) => devices.find((one) => one.index === index)?.name ?? '';
  const count = Math.max(0, ...test.outcomes.map(({ steps }) => steps.length));
  return (
    <Stack gap="md">
      {test.history.length > 0 && (
        <Group gap={6}>
          <Text size="sm">Previous runs, newest first:</Text>
          {test.history.map((status, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity
            <StatusBadge key={at} status={status} />
          ))}
        </Group>
      )}
      {test.outcomes.map((outcome) => (
        <Stack key={outcome.device} gap={4}>
          <Group gap="xs">
            <Text fw={600}>{getDeviceName(outcome.device)}</Text>
            <Cell outcome={outcome} />
            {outcome.memory !== undefined && <Text size="xs">{outcome.memory} MB</Text>}
          </Group>
          {outcome.message && <Text size="sm">{outcome.message}</Text>}
          {outcome.stack && <Code block>{outcome.stack}</Code>}
        </Stack>
      ))}
      {Array.from({ length: count }, (_, at) => {
        const steps = test.outcomes.flatMap(({ device, steps }) => {
          const step = steps[at];
          return step ? [{ device, step }] : [];
        });
        const label = `${at + 1}. ${steps[0]?.step.label ?? ''}`;
        return (
          <Stack key={label} gap={4}>
            <Text fw={600}>{label}</Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {steps.map(({ device, step }) => (
                <Stack key={device} gap={2}>
                  {step.screenshot && (
                    <Image
                      src={getFilePath(step.screenshot)}
                      alt={`${step.label} on ${getDeviceName(device)}`}
                      mah={420}
                      fit="contain"
                    />
                  )}
                  <Text size="xs" c="dimmed">
                    {getDeviceName(device)}
                  </Text>
                </Stack>
              ))}
            </SimpleGrid>
          </Stack>
        );
      })}
    </Stack>
  );
}

const fileLabels: Record<string, string> = {
  'device-log': 'Device log',
  'test-log': 'Test log',
  'appium-log': 'Appium log',
  'junit-xml': 'JUnit XML',
  video: 'Video',
};

const Videos = ({ device }: { device: TestDevice }) => (
  <Group gap="md" mt="xs">
    {device.files
      .filter(({ kind }) => kind === 'video')
      .map(({ name, url }) => (
        <video
          key={url}
          src={getFilePath(url)}
          controls
          muted
          preload="metadata"
          height={360}
          aria-label={`${name}, ${device.name}`}
        />
      ))}
  </Group>
);

const logs = ['device-log', 'test-log', 'appium-log'];

function Devices({ devices, tests }: { devices: TestDevice[]; tests: RunTest[] }) {
  const row = useOpenRow();
  const files = devices.flatMap((device) => device.files.map((file) => ({ device, file })));
  const getLogKey = (index: number, kind: string) => `${kind} of ${index}`;
  const open = files.find(({ device, file }) => getLogKey(device.index, file.kind) === row.key);
  return (
    <Section title="Devices">
      {devices.length === 0 && <Text c="dimmed">No devices</Text>}
      <Stack gap="xs">
        {devices.map((device) => (
          <Paper key={device.index} withBorder p="sm">
            <Group gap="md">
              <Text fw={600}>{device.name}</Text>
              <DeviceBadge state={device.state} />
              {device.is_emulated && <Badge color="gray">Emulated browser</Badge>}
              {device.failure && <Text size="sm">{device.failure}</Text>}
              {device.files.map(({ kind, name, url }) =>
                logs.includes(kind) ? (
                  <TextLink key={url} size="sm" to={row.to(getLogKey(device.index, kind))}>
                    {fileLabels[kind]}
                  </TextLink>
                ) : (
                  <Anchor key={url} href={getFilePath(url)} size="sm">
                    {fileLabels[kind] ?? name}
                  </Anchor>
                ),
              )}
            </Group>
            {device.files.some(({ kind }) => kind === 'video') && <Videos device={device} />}
          </Paper>
        ))}
      </Stack>
      <DetailDrawer
        title={open && `${fileLabels[open.file.kind]}, ${open.device.name}`}
        isOpen={open !== undefined}
        onClose={row.close}
      >
        {open && <DeviceLog file={open.file} device={open.device} tests={tests} />}
      </DetailDrawer>
    </Section>
  );
}
