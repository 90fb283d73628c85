import { Alert, Anchor, Badge, Button, Code, Group, Image, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { test_stopTestRun, testRuns_rerun } from '@mooring/contract';
import { useParams } from 'react-router';
import {
  type Outcome,
  type TestDevice,
  type TestOfRun,
  type TestResults,
  useLiveRun,
  useRerun,
  useStopRun,
  useTestResults,
} from '../../api/tests.ts';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { DeviceLog } from './device-log.tsx';
import { DeviceBadge, nameOfRun, ResultBadge, StatusBadge, seconds } from './run-words.tsx';

export default function TestRunPage() {
  const { run: id = '' } = useParams();
  const { appRef } = useAppHere();
  return (
    <Loaded reading={useTestResults(appRef, id)} isPage>
      {(results) => <RunView results={results} />}
    </Loaded>
  );
}

/** Is there as long as the run changes. */
function Live({ id }: { id: string }) {
  useLiveRun(useAppHere().appRef, id);
  return null;
}

function RunView({ results }: { results: TestResults }) {
  const { run, devices, tests } = results;
  const { appRef, params, may } = useAppHere();
  const stop = useStopRun(appRef, run.id);
  const rerun = useRerun(appRef, run.id);
  const isDone = run.runStatus === 'finished';
  const { stats } = run;
  return (
    <Page
      title={nameOfRun(run)}
      lead={run.waiting ? `${run.description}. ${run.waiting.replaceAll('`', '')}` : run.description}
      actions={
        <Group gap="xs">
          {!isDone && may(test_stopTestRun) && (
            <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
              Stop
            </Button>
          )}
          {isDone && (
            <ButtonLink to="compare" variant="default">
              Compare
            </ButtonLink>
          )}
          {isDone && run.source === 'runner' && devices.length > 0 && may(testRuns_rerun) && (
            <>
              {stats.failed > 0 && (
                <Button variant="default" loading={rerun.isPending} onClick={() => rerun.mutate(true)}>
                  Run what failed again
                </Button>
              )}
              <Button variant="default" loading={rerun.isPending} onClick={() => rerun.mutate(false)}>
                Run all again
              </Button>
            </>
          )}
        </Group>
      }
    >
      {!isDone && <Live id={run.id} />}
      {stop.error && <Failure error={stop.error} title="It was not stopped" />}
      {rerun.error && <Failure error={rerun.error} title="It does not run again" />}
      {rerun.data && <Alert color="blue">It runs again, as a run of its own. The list of runs shows it.</Alert>}
      <Paper withBorder p="md">
        <Group gap="xl">
          <ResultBadge run={run} />
          <Text size="sm">{stats.passed} passed</Text>
          <Text size="sm">{stats.failed} failed</Text>
          <Text size="sm">{stats.skipped} skipped</Text>
          <Text size="sm">
            {stats.devicesFinished} of {stats.devices} devices
          </Text>
          <Text size="sm">{stats.totalDeviceMinutes} device minutes</Text>
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
      <Tests tests={tests} devices={devices} />
      <Devices devices={devices} tests={tests} />
    </Page>
  );
}

const keyOf = ({ suite, test }: TestOfRun): string => `${suite} ${test}`;

/** Devices and tests, those that failed first. */
function Tests({ tests, devices }: { tests: TestOfRun[]; devices: TestDevice[] }) {
  const row = useOpenRow();
  const open = tests.find((one) => keyOf(one) === row.key);
  if (tests.length === 0) return <Text c="dimmed">No test has run so far.</Text>;
  return (
    <Part title="Tests" lead="A test passes only if it passes on every device.">
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
              <Table.Tr key={keyOf(one)}>
                <Table.Td>
                  <Stack gap={0}>
                    <Group gap="xs">
                      <TextLink to={row.to(keyOf(one))}>{one.test}</TextLink>
                      {one.is_flaky && <Badge color="yellow">flaky</Badge>}
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
    </Part>
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

/** Why it failed, and its steps with their pictures side by side. */
function TestDetail({ test, devices }: { test: TestOfRun; devices: TestDevice[] }) {
  const nameOf = (index: number) => devices.find((one) => one.index === index)?.name ?? '';
  const count = Math.max(0, ...test.outcomes.map(({ steps }) => steps.length));
  return (
    <Stack gap="md">
      {test.history.length > 0 && (
        <Group gap={6}>
          <Text size="sm">Runs before, newest first:</Text>
          {test.history.map((status, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells them apart
            <StatusBadge key={at} status={status} />
          ))}
        </Group>
      )}
      {test.outcomes.map((outcome) => (
        <Stack key={outcome.device} gap={4}>
          <Group gap="xs">
            <Text fw={600}>{nameOf(outcome.device)}</Text>
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
                    <Image src={step.screenshot} alt={`${step.label} on ${nameOf(device)}`} mah={420} fit="contain" />
                  )}
                  <Text size="xs" c="dimmed">
                    {nameOf(device)}
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

const fileWords: Record<string, string> = {
  'device-log': 'Log of the device',
  'test-log': 'Log of the tests',
  'appium-log': 'Log of Appium',
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
          src={url}
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

function Devices({ devices, tests }: { devices: TestDevice[]; tests: TestOfRun[] }) {
  const row = useOpenRow();
  const files = devices.flatMap((device) => device.files.map((file) => ({ device, file })));
  const keyOfLog = (index: number, kind: string) => `${kind} of ${index}`;
  const open = files.find(({ device, file }) => keyOfLog(device.index, file.kind) === row.key);
  return (
    <Part title="Devices">
      {devices.length === 0 && <Text c="dimmed">It has no device.</Text>}
      <Stack gap="xs">
        {devices.map((device) => (
          <Paper key={device.index} withBorder p="sm">
            <Group gap="md">
              <Text fw={600}>{device.name}</Text>
              <DeviceBadge state={device.state} />
              {device.is_emulated && <Badge color="gray">emulated browser</Badge>}
              {device.failure && <Text size="sm">{device.failure}</Text>}
              {device.files.map(({ kind, name, url }) =>
                logs.includes(kind) ? (
                  <TextLink key={url} size="sm" to={row.to(keyOfLog(device.index, kind))}>
                    {fileWords[kind]}
                  </TextLink>
                ) : (
                  <Anchor key={url} href={url} size="sm">
                    {fileWords[kind] ?? name}
                  </Anchor>
                ),
              )}
            </Group>
            {device.files.some(({ kind }) => kind === 'video') && <Videos device={device} />}
          </Paper>
        ))}
      </Stack>
      <DetailDrawer
        title={open && `${fileWords[open.file.kind]}, ${open.device.name}`}
        isOpen={open !== undefined}
        onClose={row.close}
      >
        {open && <DeviceLog file={open.file} device={open.device} tests={tests} />}
      </DetailDrawer>
    </Part>
  );
}
