import { Stack } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { type Subscription, useSubscriptions } from '../../api/subscriptions.ts';
import { Breadcrumbs } from '../../parts/breadcrumbs.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { subscriptionPath } from './paths.ts';

export default function MySubscriptionsPage() {
  return (
    <Stack gap="sm">
      <Breadcrumbs pages={[['/health', 'Service health']]} />
      <Page
        title="My subscriptions"
        lead="Those by which you read health events. Open one for its webhooks and feeds, or to make some."
      >
        <DataTable
          label="My subscriptions"
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
    </Stack>
  );
}

const columns: Column<Subscription>[] = [
  {
    label: 'Subscription',
    text: ({ displayName }) => displayName,
    cell: ({ subscriptionId, displayName }) => <NameLink to={subscriptionPath(subscriptionId)}>{displayName}</NameLink>,
  },
  { label: 'Owner', text: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    label: 'Id',
    width: 360,
    text: ({ subscriptionId }) => subscriptionId,
    cell: ({ subscriptionId, displayName }) => <Copyable value={subscriptionId} label={`the id of ${displayName}`} />,
  },
];
