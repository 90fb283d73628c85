import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useReload } from '../api/account.ts';
import { FrontPage } from './front-page.tsx';
import { PageTitle } from './page.tsx';

const title = 'This page could not be opened';
const reason =
  'The server cannot be reached, or the console was updated since you opened it. Loading it again helps once the server is there.';

/** Only what answers is loaded again: otherwise the browser would put its own page in the place of this one. */
function LoadAgain() {
  const reload = useReload();
  return (
    <Stack gap="xs" align="center">
      <Button loading={reload.isPending} onClick={() => reload.mutate()}>
        Load again
      </Button>
      {reload.isError && (
        <Text size="sm" role="alert">
          The server does not answer yet.
        </Text>
      )}
    </Stack>
  );
}

/** Shown when the code of a page cannot be fetched, or fails. */
export const Broken = () => (
  <FrontPage title={title} lead={reason}>
    <LoadAgain />
  </FrontPage>
);

/** The same inside the frame, whose other pages may be there already. */
export const BrokenPart = () => (
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
