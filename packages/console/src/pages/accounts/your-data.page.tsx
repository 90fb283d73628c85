import { Alert, Anchor, Button, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import {
  type DataRequest,
  isBeingMade,
  useCancelRequest,
  useDataRequests,
  useRequestDeletion,
  useRequestExport,
} from '../../api/administration/data-requests.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Page } from '../../components/layout/page.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentUser } from '../../context/current-user.ts';

export default function YourDataPage() {
  const requests = useDataRequests();
  const archives = requests.data?.filter(({ kind }) => kind === 'export') ?? [];
  const deletion = requests.data?.find(({ kind }) => kind === 'delete');
  return (
    <Page title="Your data" description="Download a copy of your data, or delete your account.">
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
  const request = useRequestExport();
  return (
    <Stack gap="md" align="flex-start">
      <Title order={2} size="h4">
        Download a copy
      </Title>
      <Text>
        The archive contains your profile, memberships, sessions, audit entries and tokens (without their values). You
        can download it for seven days.
      </Text>
      {archives.map((archive) => (
        <Archive key={archive.token} archive={archive} />
      ))}
      {request.error && <Failure error={request.error} />}
      <Button onClick={() => request.mutate()} loading={request.isPending}>
        Create archive
      </Button>
    </Stack>
  );
}

function Archive({ archive }: { archive: DataRequest }) {
  const cancel = useCancelRequest();
  return (
    <Group gap="sm">
      <Text size="sm">
        Requested <Time at={archive.created_at} />:{' '}
        {archive.sasUrl ? (
          <Anchor href={archive.sasUrl} underline="always">
            Download
          </Anchor>
        ) : (
          archive.message
        )}
      </Text>
      {isBeingMade(archive) && <Loader size="xs" aria-label="Creating archive" />}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => cancel.mutate(archive)}
        loading={cancel.isPending}
        aria-label={archive.sasUrl ? 'Delete archive' : 'Cancel archive'}
      >
        {archive.sasUrl ? 'Delete' : 'Cancel'}
      </Button>
      {cancel.error && <Failure error={cancel.error} />}
    </Group>
  );
}

function Deletion({ request }: { request: DataRequest | undefined }) {
  const [isConfirming, setConfirming] = useState(false);
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
          Keep my account
        </Button>
      ) : (
        <>
          <Text>
            This deletes your profile, memberships, tokens and all other data about you. Audit entries stay, without
            your name and IP address. Transfer or delete the apps you own first.
          </Text>
          <Button color="red" variant="light" onClick={() => setConfirming(true)}>
            Delete my account
          </Button>
        </>
      )}
      {isConfirming && <DeletionRequest onClose={() => setConfirming(false)} />}
    </Stack>
  );
}

function DeletionRequest({ onClose }: { onClose: () => void }) {
  const { name } = useCurrentUser();
  const request = useRequestDeletion();
  return (
    <ConfirmDialog
      title="Delete my account?"
      action="Delete my account"
      isDangerous
      typed={name}
      mutation={request}
      onConfirm={() => request.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        We email you the deletion date. Until then your account keeps working, and you can cancel the deletion.
      </Text>
    </ConfirmDialog>
  );
}
