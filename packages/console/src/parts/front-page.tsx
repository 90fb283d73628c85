import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { PageTitle } from './page.tsx';

interface FrontPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A page for somebody who is not signed in: one card in the middle. */
export function FrontPage({ title, lead, children }: FrontPageProps) {
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
              {lead && <Text c="dimmed">{lead}</Text>}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
