import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyProps {
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** In place of a list that has nothing in it: says so, and what to do. */
export function Empty({ icon, children, action }: EmptyProps) {
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
