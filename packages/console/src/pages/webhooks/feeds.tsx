import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRss } from '@tabler/icons-react';
import { useState } from 'react';
import { type Feed, useCreateFeed, useDeleteFeed, useFeeds } from '../../api/health/feeds.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { FilterInput } from '../health/filters/filter-input.tsx';
import { FilterText } from './filter-text.tsx';

export function Feeds({ subscriptionId }: { subscriptionId: string }) {
  const [isCreating, creating] = useDisclosure();
  const confirmation = useConfirm<Feed>({
    title: () => 'Revoke feed?',
    action: 'Revoke feed',
    consequence: ({ createdBy }) =>
      `Both URLs of this feed by ${createdBy} stop working immediately, in all feed readers and calendars. This cannot be undone.`,
    openDialog: useDeleteFeed(subscriptionId),
  });
  return (
    <Section
      title="Feeds"
      description="For feed readers and calendars. Anyone with the URL can read the feed."
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New feed
        </Button>
      }
    >
      <DataTable
        id="webhooks-feeds"
        label="Feeds"
        name="feeds"
        query={useFeeds(subscriptionId)}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={<IconRss size={32} aria-hidden />}>No feeds yet</EmptyState>}
        columns={[
          {
            id: 'events',
            label: 'Events',
            text: ({ filter }) => filter ?? 'All',
            cell: ({ filter }) => <FilterText filter={filter} />,
          },
          {
            id: 'created_by',
            label: 'Created by',
            width: 180,
            text: ({ createdBy }) => createdBy,
            cell: ({ createdBy }) => createdBy,
            mobileDisplay: 'label',
          },
          timeColumn<Feed>('created', 'Created', ({ createdAt }) => createdAt),
          actionsColumn<Feed>(100, (feed) => (
            <RowButton label={`Revoke feed by ${feed.createdBy}`} onClick={() => confirmation.open(feed)}>
              Revoke
            </RowButton>
          )),
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New feed" size="lg">
        <NewFeed subscriptionId={subscriptionId} onClose={creating.close} />
      </Dialog>
      {confirmation.dialog}
    </Section>
  );
}

function NewFeed({ subscriptionId, onClose }: { subscriptionId: string; onClose: () => void }) {
  const creation = useCreateFeed(subscriptionId);
  const [filter, setFilter] = useState('');
  // The URLs exist only in this dialog's state.
  const [addresses, setAddresses] = useState<[label: string, value: string][]>();
  if (addresses) {
    const warning =
      "Copy the URLs now. You can't see them again after closing this dialog. Anyone with a URL can read the events you can read.";
    return <SecretValue secrets={addresses} warning={warning} onClose={onClose} />;
  }
  return (
    <Form
      action="Create feed"
      sending={creation}
      onCancel={onClose}
      onSend={() =>
        creation.mutate(filter, {
          onSuccess: ({ atomUrl, calendarUrl }) => {
            setAddresses([
              ['Events (Atom)', atomUrl],
              ['Planned maintenance (iCalendar)', calendarUrl],
            ]);
            creation.reset();
          },
        })
      }
    >
      <FilterInput subscription={subscriptionId} value={filter} onChange={setFilter} />
    </Form>
  );
}
