import { Badge, Group, Text } from '@mantine/core';
import { deliverySorts } from '@mooring/contract';
import { IconSend } from '@tabler/icons-react';
import { type Delivery, useDeliveries, useReplayDelivery, type WebhookRef } from '../../api/webhooks.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { pathTo } from '../../paths.ts';
import { Attempts, answerOf } from './attempts.tsx';

const words: Record<Delivery['change'], string> = {
  published: 'Published',
  updated: 'Updated',
  resolved: 'Resolved',
  withdrawn: 'Withdrawn',
  test: 'Test',
};

export const deliveryColours: Record<Delivery['state'], string> = {
  Waiting: 'yellow',
  Delivered: 'harbor',
  Failed: 'red',
  Cancelled: 'gray',
};

export const deliveryWords: Record<Delivery['state'], string> = {
  Waiting: 'Queued',
  Delivered: 'Delivered',
  Failed: 'Failed',
  Cancelled: 'Cancelled',
};

const nameOf = ({ change, trackingId }: Delivery): string =>
  change === 'test' ? 'the test' : `“${words[change]} ${trackingId}”`;

/** What was sent, when, and what came back. */
export function Deliveries({ webhookRef, isEnabled }: { webhookRef: WebhookRef; isEnabled: boolean }) {
  const deliveries = useDeliveries(webhookRef, useListQuery(deliverySorts, 'deliveries'));
  const row = useOpenRow();
  const shown = deliveries.data?.find(({ id }) => id === row.key);
  const replay = useQuestion<Delivery>({
    title: (delivery) => `Send ${nameOf(delivery)} again?`,
    action: 'Replay',
    isDangerous: false,
    loss: () => 'The same message is sent once more, with the same webhook-id, and this delivery stays in the log.',
    doing: useReplayDelivery(webhookRef),
  });
  const actions = actionsColumn<Delivery>(180, (delivery) => (
    <>
      <RowButton onClick={() => row.open(delivery.id)} label={`Attempts of ${nameOf(delivery)}`}>
        Attempts
      </RowButton>
      {isEnabled && (
        <RowButton onClick={() => replay.ask(delivery)} label={`Replay ${nameOf(delivery)}`}>
          Replay
        </RowButton>
      )}
    </>
  ));
  return (
    <Part title="Deliveries" lead="Newest first, kept for 30 days.">
      <DataTable
        label="Deliveries"
        name="deliveries"
        search="Search deliveries"
        reading={deliveries}
        columns={[...columnsFor(webhookRef.subscriptionId), actions]}
        keyOf={({ id }) => id}
        isServers
        empty={
          <Empty icon={<IconSend size={32} aria-hidden />}>
            Nothing was sent yet. The next change of an event that matches will be.
          </Empty>
        }
      />
      <DetailDrawer title="Attempts" isOpen={shown !== undefined} onClose={row.close}>
        {shown && <Attempts delivery={shown} />}
      </DetailDrawer>
      {replay.dialog}
    </Part>
  );
}

const columnsFor = (subscriptionId: string): Column<Delivery>[] => [
  {
    label: 'Message',
    sort: 'trackingId',
    width: '28%',
    text: nameOf,
    cell: (delivery) => <Message delivery={delivery} subscriptionId={subscriptionId} />,
  },
  {
    label: 'Status',
    sort: 'state',
    width: 120,
    text: ({ state }) => deliveryWords[state],
    cell: ({ state }) => <Badge color={deliveryColours[state]}>{deliveryWords[state]}</Badge>,
  },
  {
    label: 'Answer',
    text: ({ attempts }) => answerOf(attempts.at(-1)),
    cell: ({ attempts }) => answerOf(attempts.at(-1)),
  },
  {
    label: 'Attempts',
    sort: 'attempts',
    width: 90,
    isSecondary: true,
    onPhone: 'label',
    text: ({ attempts }) => attempts.length,
    cell: ({ attempts }) => attempts.length.toLocaleString(),
  },
  timeColumn('Created', ({ createdAt }) => createdAt, { sort: 'createdAt' }),
  timeColumn('Completed', ({ settledAt }) => settledAt, { isSecondary: true }),
];

const Message = ({
  delivery: { change, trackingId, isReplay },
  subscriptionId,
}: {
  delivery: Delivery;
  subscriptionId: string;
}) => (
  <Group gap="xs" wrap="nowrap">
    {words[change]}
    {change === 'withdrawn' && <Text size="sm">{trackingId}</Text>}
    {change !== 'withdrawn' && change !== 'test' && (
      <NameLink to={pathTo('healthEvent', { trackingId }, { subscription: subscriptionId })}>{trackingId}</NameLink>
    )}
    {isReplay && <Badge color="gray">A replay</Badge>}
  </Group>
);
