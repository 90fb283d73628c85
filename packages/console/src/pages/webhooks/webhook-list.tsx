import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { type AppWebhook, useAppWebhooks, type WebhookOperations } from '../../api/webhooks-of-apps.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { eventWords, formatWords } from './event-words.ts';
import { NewAppWebhook } from './webhook-form.tsx';
import { stateOf, WebhookState } from './webhook-state.tsx';

interface Props {
  of: WebhookOperations;
  isOfOrg: boolean;
  mayChange: boolean;
  lead: string;
  pathOf: (id: string) => string;
}

export function WebhookList({ of, isOfOrg, mayChange, lead, pathOf }: Props) {
  const [isCreating, creating] = useDisclosure();
  const columns: Column<AppWebhook>[] = [
    {
      label: 'Name',
      width: '24%',
      text: ({ name }) => name,
      cell: ({ id, name }) => <NameLink to={pathOf(id)}>{name}</NameLink>,
    },
    { label: 'Address', isSecondary: true, text: ({ url }) => url, cell: ({ url }) => new URL(url).host },
    {
      label: 'Events',
      width: '30%',
      isWrapped: true,
      text: ({ event_types }) => event_types.map((type) => eventWords[type]).join(', '),
      cell: ({ event_types }) => event_types.map((type) => eventWords[type]).join(', '),
    },
    {
      label: 'Form',
      width: 150,
      isSecondary: true,
      text: ({ format }) => formatWords[format],
      cell: ({ format }) => formatWords[format],
    },
    { label: 'Status', width: 110, cell: (webhook) => <WebhookState webhook={stateOf(webhook)} /> },
    timeColumn('Created', ({ created_at }) => created_at),
  ];
  return (
    <Page
      title="Webhooks"
      lead={lead}
      actions={
        mayChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New webhook
          </Button>
        )
      }
    >
      <DataTable
        label="Webhooks"
        reading={useAppWebhooks(of)}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconWebhook size={32} aria-hidden />}
            action={mayChange && <Button onClick={creating.open}>Create a webhook</Button>}
          >
            There are no webhooks. One tells a chat or a program of yours of what happens, at once.
          </Empty>
        }
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New webhook" size="lg">
        <NewAppWebhook of={of} isOfOrg={isOfOrg} onClose={creating.close} />
      </Dialog>
    </Page>
  );
}
