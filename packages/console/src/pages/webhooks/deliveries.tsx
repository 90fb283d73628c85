import { Badge, Group, Modal, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { type Delivery, useDeliveries, useReplayDelivery, type WebhookAddress } from '../../api/webhooks.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { Time } from '../../parts/time.tsx';
import { eventPath } from '../health/event-path.ts';
import { Attempts, answerOf } from './attempts.tsx';

const words: Record<Delivery['change'], string> = {
  published: 'Published',
  updated: 'Updated',
  resolved: 'Resolved',
  withdrawn: 'Withdrawn',
  test: 'Test',
};

const colours: Record<Delivery['state'], string> = {
  Waiting: 'yellow',
  Delivered: 'harbor',
  Failed: 'red',
  Cancelled: 'gray',
};

const nameOf = ({ change, trackingId }: Delivery): string =>
  change === 'test' ? 'the test' : `“${words[change]} ${trackingId}”`;

/** What was sent, when, and what came back. */
export function Deliveries({ address, isEnabled }: { address: WebhookAddress; isEnabled: boolean }) {
  const deliveries = useDeliveries(address);
  const [shownId, setShownId] = useState<string>();
  const shown = deliveries.data?.find(({ id }) => id === shownId);
  const replay = useQuestion<Delivery>({
    title: (delivery) => `Send ${nameOf(delivery)} again?`,
    action: 'Replay',
    isDangerous: false,
    loss: () => 'The same message is sent once more, with the same webhook-id, and this delivery stays in the log.',
    doing: useReplayDelivery(address),
  });
  const actions: Column<Delivery> = {
    label: 'Actions',
    header: '',
    isTight: true,
    isWide: true,
    cell: (delivery) => (
      <Group gap={6} wrap="nowrap">
        <RowButton onClick={() => setShownId(delivery.id)} label={`Attempts of ${nameOf(delivery)}`}>
          Attempts
        </RowButton>
        {isEnabled && (
          <RowButton onClick={() => replay.ask(delivery)} label={`Replay ${nameOf(delivery)}`}>
            Replay
          </RowButton>
        )}
      </Group>
    ),
  };
  return (
    <Part title="Deliveries" lead="Newest first, kept for 30 days.">
      <Loaded reading={deliveries}>
        {(rows) =>
          rows.length > 0 ? (
            <Stack>
              <DataTable
                label="Deliveries"
                columns={[...columnsFor(address.subscriptionId), actions]}
                rows={rows}
                keyOf={({ id }) => id}
              />
              <LoadMore pages={deliveries} />
            </Stack>
          ) : (
            <Empty icon={<IconSend size={32} aria-hidden />}>
              Nothing was sent yet. The next change of an event that matches will be.
            </Empty>
          )
        }
      </Loaded>
      <Modal opened={shown !== undefined} onClose={() => setShownId(undefined)} title="Attempts" size="lg">
        {shown && <Attempts delivery={shown} />}
      </Modal>
      {replay.dialog}
    </Part>
  );
}

const columnsFor = (subscriptionId: string): Column<Delivery>[] => [
  { label: 'Message', cell: (delivery) => <Message delivery={delivery} subscriptionId={subscriptionId} /> },
  { label: 'State', isWhole: true, cell: ({ state }) => <Badge color={colours[state]}>{state}</Badge> },
  { label: 'Answer', cell: ({ attempts }) => answerOf(attempts.at(-1)) },
  { label: 'Attempts', isWhole: true, cell: ({ attempts }) => attempts.length.toLocaleString() },
  { label: 'Made', isWhole: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { label: 'Settled', isWhole: true, cell: ({ settledAt }) => (settledAt ? <Time at={settledAt} /> : '—') },
];

const Message = ({
  delivery: { change, trackingId, isReplay },
  subscriptionId,
}: {
  delivery: Delivery;
  subscriptionId: string;
}) => (
  <Group gap="xs">
    {words[change]}
    {change === 'withdrawn' && <Text size="sm">{trackingId}</Text>}
    {change !== 'withdrawn' && change !== 'test' && (
      <NameLink to={eventPath(trackingId, subscriptionId)}>{trackingId}</NameLink>
    )}
    {isReplay && <Badge color="gray">A replay</Badge>}
  </Group>
);
