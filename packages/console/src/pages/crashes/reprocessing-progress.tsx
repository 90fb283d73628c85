import { Paper, Progress, Stack, Text } from '@mantine/core';
import { type Reprocessing, useReprocessing } from '../../api/crashes.ts';
import { useAppHere } from '../../parts/may.ts';

const reasons: Record<Reprocessing['reason'], string> = {
  requested: 'because somebody asked for it',
  rules: 'because rules of grouping were changed',
  symbols: 'because symbols came',
};

/** How far it is while reports are processed again; not there otherwise. */
export function ReprocessingProgress() {
  const { appRef } = useAppHere();
  const running = useReprocessing(appRef).data?.filter(({ ended_at }) => ended_at === undefined) ?? [];
  if (running.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        {running.map(({ id, reason, total, done }) => (
          <div key={id}>
            <Text size="sm" mb={4}>
              Reports are processed again {reasons[reason]}: {done.toLocaleString()} of {total.toLocaleString()}
            </Text>
            <Progress
              value={total > 0 ? Math.min(100, (100 * done) / total) : 100}
              aria-label="Reports processed again"
            />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
