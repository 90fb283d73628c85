import { Anchor, Group, Stack, Text } from '@mantine/core';
import { type ReportDetails, useReport } from '../../api/telemetry/crashes.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { formatTimeWithUtc } from '../../components/text/format-time.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ReportContexts } from './report-contexts.tsx';
import { SessionTimeline } from './session-timeline.tsx';
import type { ShownReport } from './shown-report.ts';
import { StackView } from './stack-view.tsx';
import { VersionLink } from './version-link.tsx';

/** Details of a report. */
export function ReportView({ report }: { report: ShownReport | undefined }) {
  const { appRef } = useCurrentApp();
  return (
    <QueryBoundary query={useReport(appRef, report)}>
      {({ stack, details, attachments }) => (
        <Stack gap="sm">
          <StackView stack={stack} />
          <ReportSummary details={details} />
          <Properties properties={details.properties ?? {}} />
          {details.contexts && <ReportContexts details={details} />}
          {details.hasBreadcrumbs && <SessionTimeline errorId={details.errorId} installId={details.installId} />}
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

/** The report's time, version, device and user. */
function ReportSummary({ details }: { details: ReportDetails }) {
  const { params } = useCurrentApp();
  const { timestamp, appVersion, appBuild, deviceName, osType, osVersion, country, userId } = details;
  return (
    <Group gap="md">
      <Text size="sm">
        <time dateTime={timestamp}>{formatTimeWithUtc(Date.parse(timestamp))}</time>
      </Text>
      {appVersion && <VersionLink version={appVersion} build={appBuild} />}
      <Text size="sm">
        {[deviceName, [osType, osVersion].filter(Boolean).join(' '), country].filter(Boolean).join(', ')}
      </Text>
      {userId && (
        <Text size="sm">
          User{' '}
          <TextLink size="sm" to={pathTo('appLogSearch', params, { user_id: userId })}>
            {userId}
          </TextLink>
        </Text>
      )}
    </Group>
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
