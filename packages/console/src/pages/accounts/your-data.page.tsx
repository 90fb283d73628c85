import { Alert, Anchor, Button, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import {
  type DataRequest,
  isBeingMade,
  useCancelRequest,
  useDataRequests,
  useRequestDeletion,
  useRequestExport,
} from '../../api/data-requests.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';

export default function YourDataPage() {
  const requests = useDataRequests();
  const archives = requests.data?.filter(({ kind }) => kind === 'export') ?? [];
  const deletion = requests.data?.find(({ kind }) => kind === 'delete');
  return (
    <Page title="Your data" lead="What this server keeps about you: a copy of all of it, or its deletion.">
      {requests.error && <Failure error={requests.error} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="lg">
          <Archives archives={archives} />
        </Paper>
        <Paper withBorder p="lg">
          <Deletion request={deletion} />
        </Paper>
      </SimpleGrid>
    </Page>
  );
}

function Archives({ archives }: { archives: DataRequest[] }) {
  const ask = useRequestExport();
  return (
    <Stack gap="md" align="flex-start">
      <Title order={2} size="h4">
        Download a copy
      </Title>
      <Text>
        An archive with your profile, memberships, sessions, audit entries and tokens without their values. It is kept
        for seven days.
      </Text>
      {archives.map((archive) => (
        <Archive key={archive.token} archive={archive} />
      ))}
      {ask.error && <Failure error={ask.error} />}
      <Button onClick={() => ask.mutate()} loading={ask.isPending}>
        Make an archive
      </Button>
    </Stack>
  );
}

function Archive({ archive }: { archive: DataRequest }) {
  const cancel = useCancelRequest();
  return (
    <Group gap="sm">
      <Text size="sm">
        Asked for <Time at={archive.created_at} />:{' '}
        {archive.sasUrl ? (
          <Anchor href={archive.sasUrl} underline="always">
            Download
          </Anchor>
        ) : (
          archive.message
        )}
      </Text>
      {isBeingMade(archive) && <Loader size="xs" aria-label="It is being made" />}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => cancel.mutate(archive)}
        loading={cancel.isPending}
        aria-label={archive.sasUrl ? 'Delete this archive' : 'Cancel this archive'}
      >
        {archive.sasUrl ? 'Delete' : 'Cancel'}
      </Button>
      {cancel.error && <Failure error={cancel.error} />}
    </Group>
  );
}

function Deletion({ request }: { request: DataRequest | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancelRequest();
  const isOpen = request?.status === 'Created';
  return (
    <Stack gap="md" align="flex-start">
      <Title order={2} size="h4">
        Delete your account
      </Title>
      {request && (
        <Alert color={isOpen ? 'yellow' : 'red'} w="100%">
          {request.message}
        </Alert>
      )}
      {cancel.error && <Failure error={cancel.error} />}
      {isOpen ? (
        <Button variant="default" onClick={() => cancel.mutate(request)} loading={cancel.isPending}>
          Keep the account
        </Button>
      ) : (
        <>
          <Text>
            Your profile, memberships, tokens and everything else about you goes. Audit entries stay, without your name
            and address. Apps that you own must be given to somebody else, or deleted, first.
          </Text>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            Delete my account
          </Button>
        </>
      )}
      {isAsking && <AskForDeletion onClose={() => setAsking(false)} />}
    </Stack>
  );
}

function AskForDeletion({ onClose }: { onClose: () => void }) {
  const { name } = useMe();
  const ask = useRequestDeletion();
  return (
    <Confirm
      title="Delete your account?"
      action="Delete my account"
      isDangerous
      typed={name}
      doing={ask}
      onConfirm={() => ask.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        You get a mail with the day on which it happens. Until then everything works, and you can keep the account.
      </Text>
    </Confirm>
  );
}
