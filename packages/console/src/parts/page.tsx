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
    <Stack gap="md">
      <PageTitle>{title}</PageTitle>
      <Group justify="space-between" align="flex-end" gap="md">
        <Stack gap={2} maw={720}>
          <Title order={1} size="h3">
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" size="sm">
              {lead}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

interface PartProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page under a heading of its own. */
export const Part = ({ title, lead, actions, children }: PartProps) => (
  <Stack gap="sm" component="section" mt="md">
    <Group justify="space-between" align="flex-end" gap="md">
      <div>
        <Title order={2} size="h5">
          {title}
        </Title>
        {lead && (
          <Text c="dimmed" size="sm">
            {lead}
          </Text>
        )}
      </div>
      {actions}
    </Group>
    {children}
  </Stack>
);

export const PageTitle = ({ children }: { children: string }) => <title>{`${children} · Mooring`}</title>;
