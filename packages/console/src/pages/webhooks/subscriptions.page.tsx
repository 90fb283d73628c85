import { IconReceipt } from '@tabler/icons-react';
import { type Subscription, useSubscriptions } from '../../api/subscriptions.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { pathTo } from '../../paths.ts';

export default function MySubscriptionsPage() {
  return (
    <Page title="Webhooks and feeds" lead="Open a subscription to send its events on.">
      <DataTable
        label="Subscriptions"
        search="Search subscriptions"
        reading={useSubscriptions()}
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
    text: ({ displayName }) => displayName,
    cell: ({ subscriptionId, displayName }) => (
      <NameLink to={pathTo('healthSubscription', { subscription: subscriptionId })}>{displayName}</NameLink>
    ),
  },
  { label: 'Owner', text: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    label: 'Id',
    width: 360,
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId, displayName }) => <Copyable value={subscriptionId} label={`the id of ${displayName}`} />,
  },
];
