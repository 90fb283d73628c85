import { Badge, Group, Text } from '@mantine/core';
import { deliverySorts } from '@mooring/contract';
import { IconSend } from '@tabler/icons-react';
import { type Delivery, useDeliveries, useReplayDelivery, type WebhookRef } from '../../api/webhooks.ts';
import { DetailDrawer, useOpenRow } from '../../components/dialogs/detail-drawer.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { NameLink } from '../../components/text/links.tsx';
import { pathTo } from '../../paths.ts';
import { Attempts, formatResponse } from './attempts.tsx';

const changeLabels: Record<Delivery['change'], string> = {
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

export const deliveryLabels: Record<Delivery['state'], string> = {
  Waiting: 'Queued',
  Delivered: 'Delivered',
  Failed: 'Failed',
  Cancelled: 'Canceled',
};

const formatDelivery = ({ change, trackingId }: Delivery): string =>
  change === 'test' ? 'test message' : `“${changeLabels[change]} ${trackingId}”`;

/** Delivery log. */
export function Deliveries({ webhookRef, isEnabled }: { webhookRef: WebhookRef; isEnabled: boolean }) {
  const deliveries = useDeliveries(webhookRef, useListQuery(deliverySorts, 'deliveries'));
  const row = useOpenRow();
  const shown = deliveries.data?.find(({ id }) => id === row.key);
  const replay = useConfirm<Delivery>({
    title: (delivery) => `Replay message ${formatDelivery(delivery)}?`,
    action: 'Replay message',
    isDangerous: false,
    consequence: () => 'Sends the same message again, with the same webhook-id. This delivery stays in the log.',
    openDialog: useReplayDelivery(webhookRef),
  });
  const actions = actionsColumn<Delivery>(180, (delivery) => (
    <>
      <RowButton onClick={() => row.open(delivery.id)} label={`Attempts of ${formatDelivery(delivery)}`}>
        Attempts
      </RowButton>
      {isEnabled && (
        <RowButton onClick={() => replay.open(delivery)} label={`Replay ${formatDelivery(delivery)}`}>
          Replay
        </RowButton>
      )}
    </>
  ));
  return (
    <Section title="Deliveries" description="Deliveries are kept for 30 days.">
      <DataTable
        id="webhooks-deliveries"
        label="Deliveries"
        name="deliveries"
        search="Search deliveries"
        query={deliveries}
        columns={[...columnsFor(webhookRef.subscriptionId), actions]}
        rowKey={({ id }) => id}
        isServers
        empty={
          <EmptyState icon={<IconSend size={32} aria-hidden />}>
            No deliveries yet. The next change of a matching event will be sent.
          </EmptyState>
        }
      />
      <DetailDrawer title="Attempts" isOpen={shown !== undefined} onClose={row.close}>
        {shown && <Attempts delivery={shown} />}
      </DetailDrawer>
      {replay.dialog}
    </Section>
  );
}

const columnsFor = (subscriptionId: string): Column<Delivery>[] => [
  {
    id: 'trackingId',
    label: 'Message',
    sort: 'trackingId',
    width: '28%',
    text: formatDelivery,
    cell: (delivery) => <Message delivery={delivery} subscriptionId={subscriptionId} />,
  },
  {
    id: 'state',
    label: 'Status',
    sort: 'state',
    width: 120,
    text: ({ state }) => deliveryLabels[state],
    cell: ({ state }) => <Badge color={deliveryColours[state]}>{deliveryLabels[state]}</Badge>,
  },
  {
    id: 'response',
    label: 'Response',
    text: ({ attempts }) => formatResponse(attempts.at(-1)),
    cell: ({ attempts }) => formatResponse(attempts.at(-1)),
  },
  {
    id: 'attempts',
    label: 'Attempts',
    sort: 'attempts',
    width: 90,
    isSecondary: true,
    mobileDisplay: 'label',
    text: ({ attempts }) => attempts.length,
    isNumber: true,
    cell: ({ attempts }) => attempts.length.toLocaleString(),
  },
  timeColumn('createdAt', 'Created', ({ createdAt }) => createdAt, { sort: 'createdAt' }),
  timeColumn('completed', 'Completed', ({ settledAt }) => settledAt, { isSecondary: true }),
];

const Message = ({
  delivery: { change, trackingId, isReplay },
  subscriptionId,
}: {
  delivery: Delivery;
  subscriptionId: string;
}) => (
  <Group gap="xs" wrap="nowrap">
    {changeLabels[change]}
    {change === 'withdrawn' && <Text size="sm">{trackingId}</Text>}
    {change !== 'withdrawn' && change !== 'test' && (
      <NameLink to={pathTo('healthEvent', { trackingId }, { subscription: subscriptionId })}>{trackingId}</NameLink>
    )}
    {isReplay && <Badge color="gray">Replay</Badge>}
  </Group>
);
