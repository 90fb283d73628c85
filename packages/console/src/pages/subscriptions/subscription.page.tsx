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
} from '../../api/subscriptions.ts';
import { AddByName } from '../../parts/add-by-name.tsx';
import { actionsColumn, personColumns, timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { paths, pathTo, withQuery } from '../../paths.ts';
import { SubscriptionForm } from './subscription-form.tsx';

export default function SubscriptionPage() {
  const { subscription = '' } = useParams();
  const reading = useSubscription(subscription);
  return (
    <Loaded reading={reading} isPage>
      {(subscription) => <View subscription={subscription} />}
    </Loaded>
  );
}

function View({ subscription }: { subscription: Subscription }) {
  const { subscriptionId, tenantId, displayName, owner } = subscription;
  const navigate = useNavigate();
  const [isChanging, changing] = useDisclosure();
  const deletion = useDeleteSubscription();
  const question = useQuestion<Subscription>({
    title: ({ displayName }) => `Delete ${displayName}?`,
    action: 'Delete',
    loss: ({ displayName, owner }) =>
      `Neither ${owner} nor those who were given access read health events by ${displayName} any more, and apps lose their link to it. The events stay. This cannot be undone.`,
    doing: {
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
            Its events
          </ButtonLink>
          <ButtonLink variant="default" to={pathTo('healthSubscription', { subscription: subscriptionId })}>
            Webhooks and feeds
          </ButtonLink>
          <Button variant="default" onClick={changing.open}>
            Change
          </Button>
          <Button variant="default" onClick={() => question.ask(subscription)}>
            Delete
          </Button>
        </Group>
      }
    >
      <DescriptionList
        items={[
          ['Owner', owner],
          ['Id', <Copyable key="id" value={subscriptionId} label="id" />],
          ['Tenant', <Copyable key="tenant" value={tenantId} label="tenant" />],
        ]}
      />
      <Readers subscription={subscription} />
      <Dialog opened={isChanging} onClose={changing.close} title="Change the subscription">
        <SubscriptionForm action="Save" subscription={subscription} onSaved={changing.close} onClose={changing.close} />
      </Dialog>
      {question.dialog}
    </Page>
  );
}

function Readers({ subscription: { subscriptionId, displayName, owner } }: { subscription: Subscription }) {
  const question = useQuestion<Reader>({
    title: ({ displayName }) => `Remove ${displayName}?`,
    action: 'Remove',
    loss: (reader) =>
      `${reader.displayName} can no longer read the events of ${displayName}, from the next request on.`,
    doing: useRemoveReader(subscriptionId),
  });
  return (
    <Part
      title="Readers"
      lead={`People with access besides ${owner}.`}
      actions={<AddByName label="User to add" adding={useAddReader(subscriptionId)} />}
    >
      <DataTable
        label="Readers"
        reading={useReaders(subscriptionId)}
        keyOf={({ name }) => name}
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Nobody else was given access.</Empty>}
        columns={[
          ...personColumns<Reader>(({ name, displayName, email }) => ({ name, display_name: displayName, email })),
          timeColumn<Reader>('Since', ({ since }) => since),
          actionsColumn<Reader>(100, (reader) => (
            <RowButton label={`Remove ${reader.displayName}`} onClick={() => question.ask(reader)}>
              Remove
            </RowButton>
          )),
        ]}
      />
      {question.dialog}
    </Part>
  );
}
