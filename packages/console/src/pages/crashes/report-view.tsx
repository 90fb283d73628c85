import { Anchor, Group, Stack, Text } from '@mantine/core';
import { type CrashReport, useReport } from '../../api/crashes.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { SessionEvents } from './session-events.tsx';
import { StackView } from './stack-view.tsx';

/** All that a report holds. */
export function ReportView({ report }: { report: CrashReport | undefined }) {
  const { appRef } = useAppHere();
  return (
    <Loaded reading={useReport(appRef, report)}>
      {({ stack, details, attachments }) => (
        <Stack gap="sm">
          <StackView stack={stack} />
          <Properties properties={details.properties ?? {}} />
          {details.hasBreadcrumbs && <SessionEvents errorId={details.errorId} />}
          {attachments.length > 0 && (
            <Group gap="sm">
              <Text size="sm">Attachments:</Text>
              {attachments.map(({ attachmentId, fileName, blobLocation, size, leftOut }) =>
                leftOut === undefined ? (
                  <Anchor key={attachmentId} size="sm" href={blobLocation} download>
                    {fileName || attachmentId} ({inFull(size)} bytes)
                  </Anchor>
                ) : (
                  <Text key={attachmentId} size="sm">
                    {fileName || attachmentId} is left out: {leftOut}
                  </Text>
                ),
              )}
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

const Properties = ({ properties }: { properties: Record<string, string> }) => (
  <Group gap="md">
    {Object.entries(properties).map(([name, value]) => (
      <Text key={name} size="sm">
        <b>{name}</b> {value}
      </Text>
    ))}
  </Group>
);
