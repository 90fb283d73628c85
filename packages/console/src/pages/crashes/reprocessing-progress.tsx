import { Paper, Progress, Stack, Text } from '@mantine/core';
import { type Reprocessing, useReprocessing } from '../../api/telemetry/crashes.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const reasons: Record<Reprocessing['reason'], string> = {
  requested: 'on request',
  rules: 'after a change of the grouping rules',
  symbols: 'after a symbol upload',
};

/** Progress of reprocessing; renders nothing otherwise. */
export function ReprocessingProgress() {
  const { appRef } = useCurrentApp();
  const running = useReprocessing(appRef).data?.filter(({ ended_at }) => ended_at === undefined) ?? [];
  if (running.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        {running.map(({ id, reason, total, done }) => (
          <div key={id}>
            <Text size="sm" mb={4}>
              Reprocessing reports {reasons[reason]}: {done.toLocaleString()} of {total.toLocaleString()}
            </Text>
            <Progress value={total > 0 ? Math.min(100, (100 * done) / total) : 100} aria-label="Reprocessed reports" />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
