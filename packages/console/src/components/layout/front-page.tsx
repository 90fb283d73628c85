import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { PageTitle } from './page.tsx';

interface FrontPageProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A page for signed-out users: one centered card. */
export function FrontPage({ title, description, children }: FrontPageProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <PageTitle>{title}</PageTitle>
      <Stack w="100%" maw={420} gap="lg" py="xl">
        <Center>
          <Logo size={36} />
        </Center>
        <Paper withBorder shadow="sm" p={{ base: 'lg', xs: 'xl' }} radius="lg">
          <Stack gap="md">
            <Stack gap={4}>
              <Title order={1} size="h3">
                {title}
              </Title>
              {description && <Text c="dimmed">{description}</Text>}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
