import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useWebhooks, type Webhook } from '../../api/webhooks.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { List } from '../../parts/list.tsx';
import { Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { FilterText } from './filter-text.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { webhookPath } from './paths.ts';
import { WebhookState } from './webhook-state.tsx';

export function Webhooks({ subscriptionId }: { subscriptionId: string }) {
  const [isCreating, creating] = useDisclosure();
  return (
    <Part
      title="Webhooks"
      lead="Each change of an event is sent to an address of yours, signed."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New webhook
        </Button>
      }
    >
      <List
        label="Webhooks"
        reading={useWebhooks(subscriptionId)}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconWebhook size={32} aria-hidden />}>
            There are no webhooks. Make one, and a program of yours learns of every change at once.
          </Empty>
        }
        columns={columnsFor(subscriptionId)}
      />
      <Modal opened={isCreating} onClose={creating.close} title="New webhook" size="lg" closeOnClickOutside={false}>
        <NewWebhook subscriptionId={subscriptionId} onClose={creating.close} />
      </Modal>
    </Part>
  );
}

const columnsFor = (subscriptionId: string): Column<Webhook>[] => [
  {
    label: 'Address',
    cell: ({ id, url }) => (
      <NameLink to={webhookPath(subscriptionId, id)}>
        <Text span inherit style={{ wordBreak: 'break-all' }}>
          {url}
        </Text>
      </NameLink>
    ),
  },
  { label: 'Events', cell: ({ filter }) => <FilterText filter={filter} /> },
  { label: 'State', isWhole: true, cell: (webhook) => <WebhookState webhook={webhook} /> },
  { label: 'Made by', cell: ({ createdBy }) => createdBy },
  { label: 'Made', isWhole: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];
