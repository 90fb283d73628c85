import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { type AppWebhook, useAppWebhooks, type WebhookOperations } from '../../api/app-webhooks.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { NameLink } from '../../components/text/links.tsx';
import { eventLabels, formatLabels } from './event-labels.ts';
import { NewAppWebhook } from './webhook-form.tsx';
import { getState, WebhookState } from './webhook-state.tsx';

interface Props {
  operations: WebhookOperations;
  isOrg: boolean;
  canChange: boolean;
  description: string;
  getPath: (id: string) => string;
}

export function WebhookList({ operations, isOrg, canChange, description, getPath }: Props) {
  const [isCreating, creating] = useDisclosure();
  const columns: Column<AppWebhook>[] = [
    {
      id: 'name',
      label: 'Name',
      width: '24%',
      text: ({ name }) => name,
      cell: ({ id, name }) => <NameLink to={getPath(id)}>{name}</NameLink>,
    },
    { id: 'url', label: 'URL', isSecondary: true, text: ({ url }) => url, cell: ({ url }) => new URL(url).host },
    {
      id: 'events',
      label: 'Events',
      width: '30%',
      isWrapped: true,
      text: ({ event_types }) => event_types.map((type) => eventLabels[type]).join(', '),
      cell: ({ event_types }) => event_types.map((type) => eventLabels[type]).join(', '),
    },
    {
      id: 'format',
      label: 'Format',
      width: 150,
      isSecondary: true,
      text: ({ format }) => formatLabels[format],
      cell: ({ format }) => formatLabels[format],
    },
    { id: 'status', label: 'Status', width: 110, cell: (webhook) => <WebhookState webhook={getState(webhook)} /> },
    timeColumn('created', 'Created', ({ created_at }) => created_at),
  ];
  return (
    <Page
      title="Webhooks"
      description={description}
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New webhook
          </Button>
        )
      }
    >
      <DataTable
        id="webhook-list"
        label="Webhooks"
        query={useAppWebhooks(operations)}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconWebhook size={32} aria-hidden />}
            action={canChange && <Button onClick={creating.open}>Create webhook</Button>}
          >
            No webhooks yet. Create one to notify a chat or your own service.
          </EmptyState>
        }
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New webhook" size="lg">
        <NewAppWebhook operations={operations} isOrg={isOrg} onClose={creating.close} />
      </Dialog>
    </Page>
  );
}
