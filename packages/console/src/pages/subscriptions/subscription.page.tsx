import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate, useParams } from 'react-router';
import {
  type Reader,
  type Subscription,
  useAddReader,
  useDeleteSubscription,
  useReaders,
  useRemoveReader,
  useSubscription,
} from '../../api/health/subscriptions.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { AddByName } from '../../components/forms/add-by-name.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { paths, pathTo, withQuery } from '../../paths.ts';
import { SubscriptionForm } from './subscription-form.tsx';

export default function SubscriptionPage() {
  const { subscription = '' } = useParams();
  const query = useSubscription(subscription);
  return (
    <QueryBoundary query={query} isPage>
      {(subscription) => <View subscription={subscription} />}
    </QueryBoundary>
  );
}

function View({ subscription }: { subscription: Subscription }) {
  const { subscriptionId, tenantId, displayName, owner } = subscription;
  const navigate = useNavigate();
  const [isChanging, changing] = useDisclosure();
  const deletion = useDeleteSubscription();
  const confirmation = useConfirm<Subscription>({
    title: ({ displayName }) => `Delete subscription ${displayName}?`,
    action: 'Delete subscription',
    consequence: ({ displayName, owner }) =>
      `${owner} and all readers lose access to health events through ${displayName}, and linked apps lose the link. The events stay. This cannot be undone.`,
    openDialog: {
      ...deletion,
      mutate: ({ subscriptionId }) =>
        deletion.mutate(subscriptionId, { onSuccess: () => navigate(paths.adminSubscriptions, { replace: true }) }),
    },
  });
  return (
    <Page
      title={displayName}
      actions={
        <Group gap="sm">
          <ButtonLink variant="default" to={withQuery(paths.health, { subscription: subscriptionId })}>
            View events
          </ButtonLink>
          <ButtonLink variant="default" to={pathTo('healthSubscription', { subscription: subscriptionId })}>
            Webhooks and feeds
          </ButtonLink>
          <Button variant="default" onClick={changing.open}>
            Edit subscription
          </Button>
          <Button variant="default" onClick={() => confirmation.open(subscription)}>
            Delete subscription
          </Button>
        </Group>
      }
    >
      <DescriptionList
        items={[
          ['Owner', owner],
          ['ID', <Copyable key="id" value={subscriptionId} label="ID" />],
          ['Tenant', <Copyable key="tenant" value={tenantId} label="tenant" />],
        ]}
      />
      <Readers subscription={subscription} />
      <Dialog opened={isChanging} onClose={changing.close} title="Edit subscription">
        <SubscriptionForm action="Save" subscription={subscription} onSaved={changing.close} onClose={changing.close} />
      </Dialog>
      {confirmation.dialog}
    </Page>
  );
}

function Readers({ subscription: { subscriptionId, displayName, owner } }: { subscription: Subscription }) {
  const confirmation = useConfirm<Reader>({
    title: ({ displayName }) => `Remove reader ${displayName}?`,
    action: 'Remove reader',
    consequence: (reader) => `${reader.displayName} immediately loses access to the events of ${displayName}.`,
    openDialog: useRemoveReader(subscriptionId),
  });
  return (
    <Section
      title="Readers"
      description={`People who can read these events, in addition to ${owner}.`}
      actions={<AddByName label="User to add" adding={useAddReader(subscriptionId)} />}
    >
      <DataTable
        id="subscription"
        label="Readers"
        query={useReaders(subscriptionId)}
        rowKey={({ name }) => name}
        empty={<EmptyState icon={<IconUsers size={32} aria-hidden />}>No readers yet</EmptyState>}
        columns={[
          ...userColumns<Reader>(({ name, displayName, email }) => ({ name, display_name: displayName, email })),
          timeColumn<Reader>('since', 'Since', ({ since }) => since),
          actionsColumn<Reader>(100, (reader) => (
            <RowButton label={`Remove ${reader.displayName}`} onClick={() => confirmation.open(reader)}>
              Remove
            </RowButton>
          )),
        ]}
      />
      {confirmation.dialog}
    </Section>
  );
}
