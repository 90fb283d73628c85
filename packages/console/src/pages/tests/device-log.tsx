import { Anchor, Code, Image, Paper, Stack, Text } from '@mantine/core';
import { type TestDevice, type TestOfRun, useTestLog } from '../../api/tests.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { partsOf, type TimedStep } from './log-parts.ts';

const stepsOn = (tests: readonly TestOfRun[], index: number): TimedStep[] =>
  tests.flatMap(({ test, outcomes }) =>
    outcomes.filter(({ device }) => device === index).flatMap(({ steps }) => steps.map((step) => ({ ...step, test }))),
  );

interface DeviceLogProps {
  file: TestDevice['files'][number];
  device: TestDevice;
  tests: readonly TestOfRun[];
}

/** A log of a device, with what its tests did and saw at that time. */
export function DeviceLog({ file, device, tests }: DeviceLogProps) {
  return (
    <Stack gap="sm">
      <Anchor href={file.url} size="sm">
        Download {file.name}
      </Anchor>
      <Loaded reading={useTestLog(file.url)}>
        {(log) => {
          const { parts, left } = partsOf(log, stepsOn(tests, device.index));
          return (
            <>
              {left > 0 && <Text size="sm">{left} lines before these are in the file.</Text>}
              {parts.map((part, at) =>
                'text' in part ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and their order never changes
                  <Code key={at} block fz="xs">
                    {part.text}
                  </Code>
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <Paper key={at} withBorder p="xs">
                    <Text size="sm" fw={600}>
                      {part.step.label}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {part.step.test}, <Time at={new Date(part.at).toISOString()} />
                    </Text>
                    {part.step.screenshot && (
                      <Image src={part.step.screenshot} alt={part.step.label} mah={240} fit="contain" />
                    )}
                  </Paper>
                ),
              )}
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}
