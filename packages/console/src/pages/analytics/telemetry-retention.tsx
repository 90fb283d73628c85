import { Box, NumberInput, Paper, Text } from '@mantine/core';
import { analytics_listDeletions, analytics_updateStorage, RETENTION_DAYS } from '@mooring/contract';
import { useSetRetention, useStorage } from '../../api/telemetry/analytics.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { Section } from '../../components/layout/page.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { Deletions } from './deletions.tsx';

/** Stored telemetry, its retention, and deletions in progress. */
export function TelemetryRetention() {
  const { appRef, can } = useCurrentApp();
  const storage = useStorage(appRef);
  return (
    <Section title="Telemetry" description="How long to keep sessions, events and pages.">
      <Paper withBorder p="lg" maw={720}>
        <QueryBoundary query={storage}>
          {(stored) => (
            <>
              <Text size="sm">
                {stored.log_count === 0
                  ? 'No data yet.'
                  : `${formatCount(stored.log_count, 'log')} in ${formatSize(stored.bytes)}, from ${stored.oldest_day} to ${stored.newest_day}.`}
              </Text>
              {can(analytics_updateStorage) ? (
                <Retention
                  days={stored.retention_days}
                  serverDays={stored.server_retention_days}
                  maxDays={stored.max_retention_days}
                  isOwn={stored.is_own}
                />
              ) : (
                <Text size="sm">Kept for {formatCount(stored.retention_days, 'day')}.</Text>
              )}
            </>
          )}
        </QueryBoundary>
      </Paper>
      {can(analytics_listDeletions) && (
        <Box maw={720}>
          <Deletions />
        </Box>
      )}
    </Section>
  );
}

interface RetentionProps {
  days: number;
  serverDays: number;
  maxDays: number;
  isOwn: boolean;
}

function Retention({ days, serverDays, maxDays, isOwn }: RetentionProps) {
  const { appRef } = useCurrentApp();
  const setting = useSetRetention(appRef);
  const confirmation = useConfirm<number | null>({
    title: (requested) => `Delete telemetry older than ${requested ?? serverDays} days?`,
    action: 'Delete older telemetry',
    consequence: () => 'Older data disappears from all charts within minutes. This cannot be undone.',
    openDialog: setting,
  });
  const send = (fields: Fields) => {
    const typed = fields.text('retention_days');
    const requested = typed === undefined ? null : Number(typed);
    if ((requested ?? serverDays) < days) confirmation.open(requested);
    else setting.mutate(requested);
  };
  return (
    <>
      <Form action="Save" sending={setting} done={setting.isSuccess && 'Saved.'} onSend={send}>
        <NumberInput
          name="retention_days"
          label="Keep telemetry for (days)"
          description={`${RETENTION_DAYS.minimum} to ${maxDays}. Default: ${serverDays} days, set by this server.`}
          placeholder={String(serverDays)}
          defaultValue={isOwn ? days : ''}
          min={RETENTION_DAYS.minimum}
          max={maxDays}
          allowDecimal={false}
          maw={420}
          mt="sm"
        />
      </Form>
      {confirmation.dialog}
    </>
  );
}
