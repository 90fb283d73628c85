import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { reloadIfUpdated, useReload } from '../../api/account/account.ts';
import { FrontPage } from '../layout/front-page.tsx';
import { PageTitle } from '../layout/page.tsx';

const title = "Couldn't open this page";
const reason =
  "The server can't be reached, or the console was updated since you opened it. Reload the page once the server responds.";

/** Checks the server first: otherwise the browser would replace this page with its own error page. */
function LoadAgain() {
  const reload = useReload();
  useEffect(() => void reloadIfUpdated(), []);
  return (
    <Stack gap="xs" align="center">
      <Button loading={reload.isPending} onClick={() => reload.mutate()}>
        Reload page
      </Button>
      {reload.isError && (
        <Text size="sm" role="alert">
          The server isn't responding yet.
        </Text>
      )}
    </Stack>
  );
}

/** Shown when a page's code fails to load or crashes. */
export const LoadFailurePage = () => (
  <FrontPage title={title} description={reason}>
    <LoadAgain />
  </FrontPage>
);

/** The same inside the frame, so that other pages stay reachable. */
export const LoadFailure = () => (
  <Paper withBorder p="xl" role="alert">
    <Stack align="center" ta="center" gap="sm">
      <IconPlugConnectedX size={32} aria-hidden />
      <PageTitle>{title}</PageTitle>
      <Title order={1} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw={480}>
        {reason}
      </Text>
      <LoadAgain />
    </Stack>
  </Paper>
);
