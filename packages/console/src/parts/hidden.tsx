import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconLock, IconMapQuestion } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { useSignOut } from '../api/sessions.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from './links.tsx';
import { signInPath } from './next-path.ts';
import { PageTitle } from './page.tsx';

interface HiddenProps {
  /** It is there, but not for this reader. */
  isForbidden: boolean;
  reason: string;
  /** Stands for a whole page, not for a part of one. */
  isPage: boolean;
}

/** In place of what is not there, or not for this reader: says so, and offers two ways on. */
export function Hidden({ isForbidden, reason, isPage }: HiddenProps) {
  const leave = useSignOut(signInPath(useLocation()));
  const title = isForbidden ? 'You may not see this page' : 'It does not exist, or you may not see it';
  const Icon = isForbidden ? IconLock : IconMapQuestion;
  return (
    <Paper withBorder p="xl" role="alert">
      <Stack align="center" ta="center" gap="sm">
        <Icon size={32} aria-hidden />
        {isPage && <PageTitle>{title}</PageTitle>}
        <Title order={isPage ? 1 : 2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" maw={480}>
          {reason}
        </Text>
        <Group justify="center">
          <ButtonLink to={paths.home}>Go to the home page</ButtonLink>
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
            Sign in as somebody else
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
