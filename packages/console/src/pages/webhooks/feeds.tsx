import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRss } from '@tabler/icons-react';
import { useState } from 'react';
import { type Feed, useCreateFeed, useDeleteFeed, useFeeds } from '../../api/feeds.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Form } from '../../parts/form.tsx';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { FilterInput } from '../health/filter-input.tsx';
import { FilterText } from './filter-text.tsx';

export function Feeds({ subscriptionId }: { subscriptionId: string }) {
  const [isCreating, creating] = useDisclosure();
  const question = useQuestion<Feed>({
    title: () => 'Revoke this feed?',
    action: 'Revoke',
    loss: ({ createdBy }) =>
      `Both its addresses stop working at once, in every feed reader and calendar that has them. It was made by ${createdBy}. This cannot be undone.`,
    doing: useDeleteFeed(subscriptionId),
  });
  return (
    <Part
      title="Feeds"
      lead="For feed readers and calendars; whoever knows the address reads it."
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New feed
        </Button>
      }
    >
      <DataTable
        label="Feeds"
        name="feeds"
        reading={useFeeds(subscriptionId)}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconRss size={32} aria-hidden />}>There are no feeds.</Empty>}
        columns={[
          {
            label: 'Events',
            text: ({ filter }) => filter ?? 'All',
            cell: ({ filter }) => <FilterText filter={filter} />,
          },
          {
            label: 'Created by',
            width: 180,
            text: ({ createdBy }) => createdBy,
            cell: ({ createdBy }) => createdBy,
            onPhone: 'label',
          },
          timeColumn<Feed>('Created', ({ createdAt }) => createdAt),
          actionsColumn<Feed>(100, (feed) => (
            <RowButton label={`Revoke the feed made by ${feed.createdBy}`} onClick={() => question.ask(feed)}>
              Revoke
            </RowButton>
          )),
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New feed" size="lg">
        <NewFeed subscriptionId={subscriptionId} onClose={creating.close} />
      </Dialog>
      {question.dialog}
    </Part>
  );
}

function NewFeed({ subscriptionId, onClose }: { subscriptionId: string; onClose: () => void }) {
  const creation = useCreateFeed(subscriptionId);
  const [filter, setFilter] = useState('');
  // Kept here and nowhere else, and go with the dialog.
  const [addresses, setAddresses] = useState<[label: string, value: string][]>();
  if (addresses) {
    const warning =
      'Copy the addresses now: after closing this dialog they cannot be displayed again. Whoever has one reads what you may read.';
    return <SecretValue secrets={addresses} warning={warning} onClose={onClose} />;
  }
  return (
    <Form
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={() =>
        creation.mutate(filter, {
          onSuccess: ({ atomUrl, calendarUrl }) => {
            setAddresses([
              ['Events, as Atom', atomUrl],
              ['Planned maintenance, as iCalendar', calendarUrl],
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
