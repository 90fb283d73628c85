import { IconReceipt } from '@tabler/icons-react';
import { type OrgSubscription, useOrgSubscriptions } from '../../api/health/subscriptions.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

export default function OrgSubscriptionsPage() {
  const { org } = useCurrentOrg();
  return (
    <Page title="Subscriptions" description="All members can read the health events of these subscriptions.">
      <DataTable
        id="orgs-subscriptions"
        label="Subscriptions"
        search="Search subscriptions"
        query={useOrgSubscriptions(org.name)}
        rowKey={({ subscription_id }) => subscription_id}
        empty={
          <EmptyState icon={<IconReceipt size={32} aria-hidden />}>
            No subscriptions. Ask an administrator of this server to create one.
          </EmptyState>
        }
        columns={columns}
      />
    </Page>
  );
}

const columns: Column<OrgSubscription>[] = [
  {
    id: 'subscription',
    label: 'Subscription',
    text: ({ subscription_name }) => subscription_name,
    cell: ({ subscription_id, subscription_name }) => (
      <NameLink to={pathTo('healthSubscription', { subscription: subscription_id })}>{subscription_name}</NameLink>
    ),
  },
  {
    id: 'id',
    label: 'ID',
    width: 390,
    text: ({ subscription_id }) => subscription_id,
    cell: ({ subscription_id, subscription_name }) => (
      <Copyable value={subscription_id} label={`ID of ${subscription_name}`} />
    ),
  },
  {
    id: 'tenant',
    label: 'Tenant',
    width: 390,
    isSecondary: true,
    mobileDisplay: 'hidden',
    text: ({ tenant_id }) => tenant_id,
    cell: ({ tenant_id, subscription_name }) => (
      <Copyable value={tenant_id} label={`tenant ID of ${subscription_name}`} />
    ),
  },
];
