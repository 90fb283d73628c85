import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconLock, IconMapQuestion } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { useSignOut } from '../../api/account/sign-out.ts';
import { paths } from '../../paths.ts';
import { signInPath } from '../../routing/next-path.ts';
import { PageTitle } from '../layout/page.tsx';
import { ButtonLink } from '../text/links.tsx';

interface AccessDeniedProps {
  /** The resource exists, but this user may not see it. */
  isForbidden: boolean;
  reason: string;
  /** Replaces a whole page rather than a part of one. */
  isPage: boolean;
}

/** Replaces missing and forbidden pages, with two ways to continue. */
export function AccessDenied({ isForbidden, reason, isPage }: AccessDeniedProps) {
  const leave = useSignOut(signInPath(useLocation()));
  const title = isForbidden ? "You don't have access to this page" : "Not found, or you don't have access";
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
          <ButtonLink to={paths.home}>Go to home page</ButtonLink>
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
            Switch account
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
