import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useWebhooks, type Webhook } from '../../api/webhooks.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Section } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { NameLink } from '../../components/text/links.tsx';
import { pathTo } from '../../paths.ts';
import { FilterText } from './filter-text.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookState } from './webhook-state.tsx';

export function Webhooks({ subscriptionId }: { subscriptionId: string }) {
  const [isCreating, creating] = useDisclosure();
  return (
    <Section
      title="Webhooks"
      description="Send each change of an event to your URL, as a signed message."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New webhook
        </Button>
      }
    >
      <DataTable
        id="webhooks"
        label="Webhooks"
        name="webhooks"
        query={useWebhooks(subscriptionId)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconWebhook size={32} aria-hidden />}
            action={<Button onClick={creating.open}>Create webhook</Button>}
          >
            No webhooks yet. Create one to notify your service of every change.
          </EmptyState>
        }
        columns={columnsFor(subscriptionId)}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New webhook" size="lg">
        <NewWebhook subscriptionId={subscriptionId} onClose={creating.close} />
      </Dialog>
    </Section>
  );
}

const columnsFor = (subscriptionId: string): Column<Webhook>[] => [
  {
    id: 'url',
    label: 'URL',
    width: '34%',
    text: ({ url }) => url,
    cell: ({ id, url }) => (
      <NameLink to={pathTo('healthWebhook', { subscription: subscriptionId, webhook: id })}>{url}</NameLink>
    ),
  },
  {
    id: 'events',
    label: 'Events',
    text: ({ filter }) => filter ?? 'All',
    cell: ({ filter }) => <FilterText filter={filter} />,
  },
  { id: 'status', label: 'Status', width: 110, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    id: 'created_by',
    label: 'Created by',
    width: 140,
    isSecondary: true,
    text: ({ createdBy }) => createdBy,
    cell: ({ createdBy }) => createdBy,
    mobileDisplay: 'label',
  },
  timeColumn('created', 'Created', ({ createdAt }) => createdAt),
];
