import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  lead?: ReactNode;
  /** What can be done on the page as a whole, beside its title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <Stack gap="lg">
      <PageTitle>{title}</PageTitle>
      <Group justify="space-between" align="flex-end" gap="md">
        <Stack gap={4} maw={640}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {lead && <Text c="dimmed">{lead}</Text>}
        </Stack>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

export const PageTitle = ({ children }: { children: string }) => <title>{`${children} · Mooring`}</title>;
