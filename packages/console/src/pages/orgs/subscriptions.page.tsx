import { IconReceipt } from '@tabler/icons-react';
import { type OrgSubscription, useSubscriptionsOfOrg } from '../../api/subscriptions.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { pathTo } from '../../paths.ts';

export default function OrgSubscriptionsPage() {
  const { org } = useOrgHere();
  return (
    <Page title="Subscriptions" lead="All members read the health events of these.">
      <DataTable
        label="Subscriptions"
        search="Search subscriptions"
        reading={useSubscriptionsOfOrg(org.name)}
        keyOf={({ subscription_id }) => subscription_id}
        empty={
          <Empty icon={<IconReceipt size={32} aria-hidden />}>
            The organization has no subscription. An administrator of this server can give it one.
          </Empty>
        }
        columns={columns}
      />
    </Page>
  );
}

const columns: Column<OrgSubscription>[] = [
  {
    label: 'Subscription',
    text: ({ subscription_name }) => subscription_name,
    cell: ({ subscription_id, subscription_name }) => (
      <NameLink to={pathTo('healthSubscription', { subscription: subscription_id })}>{subscription_name}</NameLink>
    ),
  },
  {
    label: 'Id',
    width: 390,
    text: ({ subscription_id }) => subscription_id,
    cell: ({ subscription_id, subscription_name }) => (
      <Copyable value={subscription_id} label={`the id of ${subscription_name}`} />
    ),
  },
  {
    label: 'Tenant',
    width: 390,
    isSecondary: true,
    onPhone: 'hidden',
    text: ({ tenant_id }) => tenant_id,
    cell: ({ tenant_id, subscription_name }) => (
      <Copyable value={tenant_id} label={`the tenant of ${subscription_name}`} />
    ),
  },
];
