import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useWebhooks, type Webhook } from '../../api/webhooks.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Part } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { pathTo } from '../../paths.ts';
import { FilterText } from './filter-text.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookState } from './webhook-state.tsx';

export function Webhooks({ subscriptionId }: { subscriptionId: string }) {
  const [isCreating, creating] = useDisclosure();
  return (
    <Part
      title="Webhooks"
      lead="Each change of an event is sent to your address, signed."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New webhook
        </Button>
      }
    >
      <DataTable
        label="Webhooks"
        name="webhooks"
        reading={useWebhooks(subscriptionId)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconWebhook size={32} aria-hidden />}
            action={<Button onClick={creating.open}>Create a webhook</Button>}
          >
            There are no webhooks. One tells a program of yours of every change at once.
          </Empty>
        }
        columns={columnsFor(subscriptionId)}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New webhook" size="lg">
        <NewWebhook subscriptionId={subscriptionId} onClose={creating.close} />
      </Dialog>
    </Part>
  );
}

const columnsFor = (subscriptionId: string): Column<Webhook>[] => [
  {
    label: 'Address',
    width: '34%',
    text: ({ url }) => url,
    cell: ({ id, url }) => (
      <NameLink to={pathTo('healthWebhook', { subscription: subscriptionId, webhook: id })}>{url}</NameLink>
    ),
  },
  { label: 'Events', text: ({ filter }) => filter ?? 'All', cell: ({ filter }) => <FilterText filter={filter} /> },
  { label: 'Status', width: 110, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    label: 'Created by',
    width: 140,
    isSecondary: true,
    text: ({ createdBy }) => createdBy,
    cell: ({ createdBy }) => createdBy,
    onPhone: 'label',
  },
  timeColumn('Created', ({ createdAt }) => createdAt),
];
