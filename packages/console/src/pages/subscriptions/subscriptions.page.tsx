import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconReceipt } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type Subscription, useArrangedSubscriptions } from '../../api/subscriptions.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { pathTo } from '../../paths.ts';
import { SubscriptionForm } from './subscription-form.tsx';

const pathOf = (subscription: string): string => pathTo('adminSubscription', { subscription });

export default function SubscriptionsPage() {
  const subscriptions = useArrangedSubscriptions(useListQuery(['displayName', 'owner', 'subscriptionId']));
  const navigate = useNavigate();
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Subscriptions"
      lead="Health events are read through a subscription."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New subscription
        </Button>
      }
    >
      <DataTable
        label="Subscriptions"
        search="Search subscriptions"
        isServers
        reading={subscriptions}
        keyOf={({ subscriptionId }) => subscriptionId}
        empty={
          <Empty
            icon={<IconReceipt size={32} aria-hidden />}
            action={<Button onClick={creating.open}>Create a subscription</Button>}
          >
            There are no subscriptions yet.
          </Empty>
        }
        columns={columns}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New subscription">
        <SubscriptionForm
          action="Create"
          onSaved={({ subscriptionId }) => navigate(pathOf(subscriptionId))}
          onClose={creating.close}
        />
      </Dialog>
    </Page>
  );
}

const columns: Column<Subscription>[] = [
  {
    label: 'Subscription',
    sort: 'displayName',
    text: ({ displayName }) => displayName,
    cell: ({ subscriptionId, displayName }) => <NameLink to={pathOf(subscriptionId)}>{displayName}</NameLink>,
  },
  { label: 'Owner', sort: 'owner', text: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    label: 'Id',
    sort: 'subscriptionId',
    width: 310,
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId }) => <Code>{subscriptionId}</Code>,
  },
  {
    label: 'Tenant',
    width: 310,
    isSecondary: true,
    onPhone: 'hidden',
    text: ({ tenantId }) => tenantId,
    cell: ({ tenantId }) => <Code>{tenantId}</Code>,
  },
];
