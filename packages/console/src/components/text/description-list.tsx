import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Facts with labels, as a description list. */
export const DescriptionList = ({ items }: { items: [label: string, value: ReactNode][] }) => (
  <Paper withBorder p="lg">
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} spacing="lg" verticalSpacing="md">
      {items.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  </Paper>
);
