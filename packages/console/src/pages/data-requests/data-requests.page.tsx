import { Anchor, Badge, Button, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { senderRequests_create } from '@mooring/contract';
import { IconPlus, IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type SubjectRequest,
  useCreateSubjectRequest,
  useSubjectRequests,
} from '../../api/administration/subject-requests.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const getRule = getBodyRules(senderRequests_create);
const statusLabels: Record<SubjectRequest['status'], string> = {
  Created: 'Queued',
  InProgress: 'In progress',
  Completed: 'Completed',
  Failed: 'Failed',
};
const kindLabels = { export: 'Export', delete: 'Deletion' } as const;
const formatSubject = ({ user_id, install_id }: SubjectRequest): string =>
  user_id ? `User ${user_id}` : install_id ? `Install ${install_id}` : 'Erased';

const columns: Column<SubjectRequest>[] = [
  {
    id: 'request',
    label: 'Request',
    width: 110,
    text: ({ kind }) => kindLabels[kind],
    cell: ({ kind }) => kindLabels[kind],
  },
  { id: 'data_subject', label: 'Data subject', text: formatSubject, cell: formatSubject },
  {
    id: 'status',
    label: 'Status',
    width: '40%',
    isWrapped: true,
    text: ({ status, message }) => `${statusLabels[status]} ${message}`,
    cell: ({ status, message, left, url, records }) => (
      <Stack gap={4} align="flex-start">
        <Badge color={status === 'Failed' ? 'red' : status === 'Completed' ? undefined : 'yellow'}>
          {statusLabels[status]}
        </Badge>
        {message && <Text size="xs">{message}</Text>}
        {left !== undefined && left > 0 && <Text size="xs">{formatCount(left, 'record')} left</Text>}
        {url && (
          <Anchor size="xs" href={url} download>
            Download {formatCount(records ?? 0, 'record')}
          </Anchor>
        )}
      </Stack>
    ),
  },
  timeColumn('requested', 'Requested', ({ created_at }) => created_at),
  timeColumn('completed', 'Completed', ({ ended_at }) => ended_at),
];

export default function DataRequestsPage() {
  const { appRef, can } = useCurrentApp();
  const [isCreating, creating] = useDisclosure();
  const canCreate = can(senderRequests_create);
  return (
    <Page
      title="Data requests"
      description="Export or delete all data of a user or an install of this app."
      actions={
        canCreate && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New data request
          </Button>
        )
      }
    >
      <DataTable
        id="data-requests"
        label="Data requests"
        query={useSubjectRequests(appRef)}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={<IconUserShield size={32} aria-hidden />}>No data requests yet</EmptyState>}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New data request">
        <NewRequest onClose={creating.close} />
      </Dialog>
    </Page>
  );
}

function NewRequest({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const creation = useCreateSubjectRequest(appRef);
  const [kind, setKind] = useState<'export' | 'delete'>('export');
  const [by, setBy] = useState<'user_id' | 'install_id'>('user_id');
  return (
    <Form
      action={kind === 'export' ? 'Export data' : 'Delete data'}
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => creation.mutate({ kind, [by]: fields.text(by) }, { onSuccess: onClose })}
    >
      <Select
        label="Request"
        data={[
          { value: 'export', label: 'Export all data' },
          { value: 'delete', label: 'Delete all data' },
        ]}
        value={kind}
        onChange={(value) => setKind(value as 'export' | 'delete')}
        allowDeselect={false}
      />
      <Select
        label="Data subject"
        data={[
          { value: 'user_id', label: 'User, by the user ID set in the app' },
          { value: 'install_id', label: 'Install' },
        ]}
        value={by}
        onChange={(value) => setBy(value as 'user_id' | 'install_id')}
        allowDeselect={false}
      />
      <NameField key={by} name={by} label={by === 'user_id' ? 'User ID' : 'Install ID'} rule={needed(getRule(by))} />
      {kind === 'delete' && (
        <Text size="sm" c="dimmed">
          Analytics and crash counts no longer include this data. This cannot be undone. Existing backups still contain
          it.
        </Text>
      )}
    </Form>
  );
}
