import { Anchor, Group, Stack, Text } from '@mantine/core';
import { type CrashReport, useReport } from '../../api/telemetry/crashes.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { SessionEvents } from './session-events.tsx';
import { StackView } from './stack-view.tsx';

/** Details of a report. */
export function ReportView({ report }: { report: CrashReport | undefined }) {
  const { appRef } = useCurrentApp();
  return (
    <QueryBoundary query={useReport(appRef, report)}>
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
                    {fileName || attachmentId} ({formatSize(size)})
                  </Anchor>
                ) : (
                  <Text key={attachmentId} size="sm">
                    {fileName || attachmentId} not stored: {leftOut}
                  </Text>
                ),
              )}
            </Group>
          )}
        </Stack>
      )}
    </QueryBoundary>
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
