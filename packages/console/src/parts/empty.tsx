import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** In place of a list that has nothing in it: says so, and what to do. */
export function Empty({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" c="dimmed" ta="center">
        {icon}
        <Text maw={420}>{children}</Text>
      </Stack>
    </Paper>
  );
}
