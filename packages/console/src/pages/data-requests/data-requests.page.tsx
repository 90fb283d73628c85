import { Anchor, Badge, Button, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { senderRequests_create } from '@mooring/contract';
import { IconPlus, IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import { type SenderRequest, useCreateSenderRequest, useSenderRequests } from '../../api/sender-requests.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';

const ruleOf = fieldsOf(senderRequests_create);
const kindWords = { export: 'Export', delete: 'Deletion' } as const;
const aboutOf = ({ user_id, install_id }: SenderRequest): string =>
  user_id ? `User ${user_id}` : install_id ? `Installation ${install_id}` : 'Forgotten';

const columns: Column<SenderRequest>[] = [
  { label: 'Request', width: 110, text: ({ kind }) => kindWords[kind], cell: ({ kind }) => kindWords[kind] },
  { label: 'About', text: aboutOf, cell: aboutOf },
  {
    label: 'State',
    width: '40%',
    isWrapped: true,
    text: ({ status, message }) => `${status} ${message}`,
    cell: ({ status, message, left, url, records }) => (
      <Stack gap={4} align="flex-start">
        <Badge color={status === 'Failed' ? 'red' : status === 'Completed' ? undefined : 'yellow'}>{status}</Badge>
        {message && <Text size="xs">{message}</Text>}
        {left !== undefined && left > 0 && <Text size="xs">{left.toLocaleString()} left</Text>}
        {url && (
          <Anchor size="xs" href={url} download>
            Download {records?.toLocaleString()} records
          </Anchor>
        )}
      </Stack>
    ),
  },
  timeColumn('Asked', ({ created_at }) => created_at),
  timeColumn('Ended', ({ ended_at }) => ended_at),
];

export default function DataRequestsPage() {
  const { appRef, may } = useAppHere();
  const [isCreating, creating] = useDisclosure();
  const mayCreate = may(senderRequests_create);
  return (
    <Page
      title="Data requests"
      lead="What a user or an installation of this app sent, as a copy for them, or deleted everywhere."
      actions={
        mayCreate && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New request
          </Button>
        )
      }
    >
      <DataTable
        label="Data requests"
        reading={useSenderRequests(appRef)}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconUserShield size={32} aria-hidden />}>Nobody asked for a copy or a deletion yet.</Empty>
        }
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New request">
        <NewRequest onClose={creating.close} />
      </Dialog>
    </Page>
  );
}

function NewRequest({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  const creation = useCreateSenderRequest(appRef);
  const [kind, setKind] = useState<'export' | 'delete'>('export');
  const [by, setBy] = useState<'user_id' | 'install_id'>('user_id');
  return (
    <Form
      action={kind === 'export' ? 'Export' : 'Delete'}
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => creation.mutate({ kind, [by]: fields.text(by) }, { onSuccess: onClose })}
    >
      <Select
        label="What"
        data={[
          { value: 'export', label: 'A copy of all that was sent' },
          { value: 'delete', label: 'Delete all that was sent' },
        ]}
        value={kind}
        onChange={(value) => setKind(value as 'export' | 'delete')}
        allowDeselect={false}
      />
      <Select
        label="Of"
        data={[
          { value: 'user_id', label: 'A user, by the id that the app gave them' },
          { value: 'install_id', label: 'An installation' },
        ]}
        value={by}
        onChange={(value) => setBy(value as 'user_id' | 'install_id')}
        allowDeselect={false}
      />
      <NameField key={by} name={by} label={by === 'user_id' ? 'User id' : 'Install id'} rule={needed(ruleOf(by))} />
      {kind === 'delete' && (
        <Text size="sm" c="dimmed">
          It counts nowhere from this moment on, and cannot be brought back. Backups keep what they have.
        </Text>
      )}
    </Form>
  );
}
