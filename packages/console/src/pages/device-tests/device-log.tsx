import { Anchor, Code, Image, Paper, Stack, Text } from '@mantine/core';
import { getFilePath, type RunTest, type TestDevice, useTestLog } from '../../api/builds/tests.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { Time } from '../../components/text/time.tsx';
import { splitLog, type TimedStep } from './log-segments.ts';

const stepsOn = (tests: readonly RunTest[], index: number): TimedStep[] =>
  tests.flatMap(({ test, outcomes }) =>
    outcomes.filter(({ device }) => device === index).flatMap(({ steps }) => steps.map((step) => ({ ...step, test }))),
  );

interface DeviceLogProps {
  file: TestDevice['files'][number];
  device: TestDevice;
  tests: readonly RunTest[];
}

/** A device log with the test steps and screenshots of that time. */
export function DeviceLog({ file, device, tests }: DeviceLogProps) {
  return (
    <Stack gap="sm">
      <Anchor href={getFilePath(file.url)} size="sm">
        Download {file.name}
      </Anchor>
      <QueryBoundary query={useTestLog(file.url)}>
        {(log) => {
          const { segments, omitted } = splitLog(log, stepsOn(tests, device.index));
          return (
            <>
              {omitted > 0 && (
                <Text size="sm">{formatCount(omitted, 'earlier line is', 'earlier lines are')} only in the file.</Text>
              )}
              {segments.map((segment, at) =>
                'text' in segment ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and their order never changes
                  <Code key={at} block fz="xs">
                    {segment.text}
                  </Code>
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <Paper key={at} withBorder p="xs">
                    <Text size="sm" fw={600}>
                      {segment.step.label}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {segment.step.test}, <Time at={new Date(segment.at).toISOString()} />
                    </Text>
                    {segment.step.screenshot && (
                      <Image
                        src={getFilePath(segment.step.screenshot)}
                        alt={segment.step.label}
                        mah={240}
                        fit="contain"
                      />
                    )}
                  </Paper>
                ),
              )}
            </>
          );
        }}
      </QueryBoundary>
    </Stack>
  );
}
