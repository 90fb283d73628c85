import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** Replaces an empty list, with an action. */
export function EmptyState({ icon, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Stack align="center" gap="xs" c="dimmed">
          {icon}
          <Text maw={460}>{children}</Text>
        </Stack>
        {action}
      </Stack>
    </Paper>
  );
}
