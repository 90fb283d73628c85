import { IconReceipt } from '@tabler/icons-react';
import { type Subscription, useArrangedSubscriptions } from '../../api/health/subscriptions.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { pathTo } from '../../paths.ts';

export default function MySubscriptionsPage() {
  const subscriptions = useArrangedSubscriptions(useListQuery(['displayName', 'owner', 'subscriptionId']));
  return (
    <Page title="Webhooks and feeds" description="Choose a subscription to forward its events.">
      <DataTable
        id="webhooks-subscriptions"
        label="Subscriptions"
        search="Search subscriptions"
        isServers
        query={subscriptions}
        rowKey={({ subscriptionId }) => subscriptionId}
        empty={
          <EmptyState icon={<IconReceipt size={32} aria-hidden />}>
            No subscriptions. Ask an administrator for access.
          </EmptyState>
        }
        columns={columns}
      />
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
      <NameLink to={pathTo('healthSubscription', { subscription: subscriptionId })}>{displayName}</NameLink>
    ),
  },
  { id: 'owner', label: 'Owner', sort: 'owner', text: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    id: 'subscriptionId',
    label: 'ID',
    sort: 'subscriptionId',
    width: 390,
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId, displayName }) => <Copyable value={subscriptionId} label={`ID of ${displayName}`} />,
  },
];
