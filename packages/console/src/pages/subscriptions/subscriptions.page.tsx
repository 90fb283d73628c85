import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconReceipt } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type Subscription, useArrangedSubscriptions } from '../../api/health/subscriptions.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { NameLink } from '../../components/text/links.tsx';
import { pathTo } from '../../paths.ts';
import { SubscriptionForm } from './subscription-form.tsx';

const getSubscriptionPath = (subscription: string): string => pathTo('adminSubscription', { subscription });

export default function SubscriptionsPage() {
  const subscriptions = useArrangedSubscriptions(useListQuery(['displayName', 'owner', 'subscriptionId']));
  const navigate = useNavigate();
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Subscriptions"
      description="Users and organizations read health events through subscriptions."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New subscription
        </Button>
      }
    >
      <DataTable
        id="subscriptions"
        label="Subscriptions"
        search="Search subscriptions"
        isServers
        query={subscriptions}
        rowKey={({ subscriptionId }) => subscriptionId}
        empty={
          <EmptyState
            icon={<IconReceipt size={32} aria-hidden />}
            action={<Button onClick={creating.open}>Create subscription</Button>}
          >
            No subscriptions yet
          </EmptyState>
        }
        columns={columns}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New subscription">
        <SubscriptionForm
          action="Create subscription"
          onSaved={({ subscriptionId }) => navigate(getSubscriptionPath(subscriptionId))}
          onClose={creating.close}
        />
      </Dialog>
    </Page>
  );
}

const columns: Column<Subscription>[] = [
  {
    id: 'displayName',
    label: 'Subscription',
    sort: 'displayName',
    text: ({ displayName }) => displayName,
    cell: ({ subscriptionId, displayName }) => (
      <NameLink to={getSubscriptionPath(subscriptionId)}>{displayName}</NameLink>
    ),
  },
  { id: 'owner', label: 'Owner', sort: 'owner', text: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    id: 'subscriptionId',
    label: 'ID',
    sort: 'subscriptionId',
    width: 310,
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId }) => <Code>{subscriptionId}</Code>,
  },
  {
    id: 'tenant',
    label: 'Tenant',
    width: 310,
    isSecondary: true,
    mobileDisplay: 'hidden',
    text: ({ tenantId }) => tenantId,
    cell: ({ tenantId }) => <Code>{tenantId}</Code>,
  },
];
