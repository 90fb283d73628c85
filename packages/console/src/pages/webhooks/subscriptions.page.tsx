import { IconReceipt } from '@tabler/icons-react';
import { type Subscription, useArrangedSubscriptions } from '../../api/subscriptions.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { pathTo } from '../../paths.ts';

export default function MySubscriptionsPage() {
  const subscriptions = useArrangedSubscriptions(useListQuery(['displayName', 'owner', 'subscriptionId']));
  return (
    <Page title="Webhooks and feeds" lead="Open a subscription to send its events on.">
      <DataTable
        label="Subscriptions"
        search="Search subscriptions"
        isServers
        reading={subscriptions}
        keyOf={({ subscriptionId }) => subscriptionId}
        empty={
          <Empty icon={<IconReceipt size={32} aria-hidden />}>
            You have no subscription. Ask an administrator for access to one.
          </Empty>
        }
        columns={columns}
      />
    </Page>
  );
}

const columns: Column<Subscription>[] = [
  {
    label: 'Subscription',
    sort: 'displayName',
    text: ({ displayName }) => displayName,
    cell: ({ subscriptionId, displayName }) => (
      <NameLink to={pathTo('healthSubscription', { subscription: subscriptionId })}>{displayName}</NameLink>
    ),
  },
  { label: 'Owner', sort: 'owner', text: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    label: 'Id',
    sort: 'subscriptionId',
    width: 390,
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId, displayName }) => <Copyable value={subscriptionId} label={`the id of ${displayName}`} />,
  },
];
