import { Alert, Badge, Group } from '@mantine/core';
import { IconInfoCircle, IconSend } from '@tabler/icons-react';
import {
  type AppDelivery,
  type AppWebhook,
  useAppDeliveries,
  useAppWebhook,
  useDeleteAppWebhook,
  useReplayAppDelivery,
  useRotateAppWebhook,
  useTestAppWebhook,
  useUpdateAppWebhook,
  type WebhookOperations,
} from '../../api/app-webhooks.ts';
import { DetailDrawer, useOpenRow } from '../../components/dialogs/detail-drawer.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { Time } from '../../components/text/time.tsx';
import { Attempts, formatResponse } from './attempts.tsx';
import { deliveryColours, deliveryLabels } from './deliveries.tsx';
import { eventLabels, formatLabels } from './event-labels.ts';
import { FilterText } from './filter-text.tsx';
import { WebhookControls } from './webhook-controls.tsx';
import { ChangeAppWebhook } from './webhook-form.tsx';
import { disabledLabels, getState, WebhookState } from './webhook-state.tsx';

interface Props {
  operations: WebhookOperations;
  id: string;
  isOrg: boolean;
  canChange: boolean;
  /** Path of the webhook list. */
  back: string;
}

export const WebhookView = (props: Props) => (
  <QueryBoundary query={useAppWebhook(props.operations, props.id)} isPage>
    {(webhook) => <View {...props} webhook={webhook} />}
  </QueryBoundary>
);

type ViewProps = Props & { webhook: AppWebhook };

function View(props: ViewProps) {
  const { webhook, canChange } = props;
  const { url, name, event_types, filter, format, disabled_reason, failing_since, created_at } = webhook;
  return (
    <Page title={name} actions={canChange && <Actions {...props} />}>
      {disabled_reason && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          {disabled_reason === 'AccessLost'
            ? 'Disabled because the app was transferred to another owner, which removed the URL and the secret. Enter a URL and rotate the secret, then enable the webhook.'
            : disabledLabels[disabled_reason]}
        </Alert>
      )}
      <DescriptionList
        items={[
          ['URL', canChange ? <Copyable key="url" value={url} label="URL" /> : url],
          ['Events', event_types.map((type) => eventLabels[type]).join(', ')],
          ['Filter', <FilterText key="filter" filter={filter} />],
          ['Format', formatLabels[format]],
          ['Status', <WebhookState key="state" webhook={getState(webhook)} />],
          ['Created', <Time key="made" at={created_at} />],
          ['Failing since', failing_since ? <Time key="failing" at={failing_since} /> : '—'],
        ]}
      />
      <Deliveries {...props} />
    </Page>
  );
}

const labels = {
  enable: 'New events are sent from now on. Events that occurred while the webhook was disabled are not sent.',
  disable: 'No events are sent until you enable the webhook again. Pending deliveries are canceled.',
};

function Actions({ operations, webhook, isOrg, back }: ViewProps) {
  const testing = useTestAppWebhook(operations, webhook.id);
  const update = useUpdateAppWebhook(operations, webhook.id);
  const [first] = webhook.event_types;
  return (
    <WebhookControls
      url={webhook.url}
      isEnabled={webhook.enabled}
      labels={labels}
      testing={testing}
      onTest={() => first && testing.mutate(first)}
      switching={update}
      onSwitch={(enabled, after) => update.mutate({ enabled }, after)}
      rotation={useRotateAppWebhook(operations, webhook.id)}
      deletion={useDeleteAppWebhook(operations, webhook.id)}
      back={back}
      changeForm={(onClose) => (
        <ChangeAppWebhook operations={operations} isOrg={isOrg} webhook={webhook} onClose={onClose} />
      )}
    />
  );
}

function Deliveries({ operations, webhook, canChange }: ViewProps) {
  const deliveries = useAppDeliveries(operations, webhook.id);
  const row = useOpenRow();
  const shown = deliveries.data?.find(({ id }) => id === row.key);
  const replay = useConfirm<AppDelivery>({
    title: ({ subject }) => `Replay message “${subject}”?`,
    action: 'Replay message',
    isDangerous: false,
    consequence: () => 'Sends the same message again, with the same webhook-id. This delivery stays in the log.',
    openDialog: useReplayAppDelivery(operations, webhook.id),
  });
  const actions = actionsColumn<AppDelivery>(180, (delivery) => (
    <>
      <RowButton onClick={() => row.open(delivery.id)} label={`Attempts of “${delivery.subject}”`}>
        Attempts
      </RowButton>
      {canChange && webhook.enabled && (
        <RowButton onClick={() => replay.open(delivery)} label={`Replay “${delivery.subject}”`}>
          Replay
        </RowButton>
      )}
    </>
  ));
  return (
    <Section title="Deliveries" description="Deliveries are kept for 30 days.">
      <DataTable
        id="webhook-view"
        label="Deliveries"
        query={deliveries}
        rowKey={({ id }) => id}
        isServers
        columns={[
          {
            id: 'message',
            label: 'Message',
            width: '36%',
            isWrapped: true,
            text: ({ subject }) => subject,
            cell: ({ subject, is_replay }) => (
              <Group gap="xs">
                {subject}
                {is_replay && <Badge color="gray">Replay</Badge>}
              </Group>
            ),
          },
          {
            id: 'status',
            label: 'Status',
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
          timeColumn<AppDelivery>('created', 'Created', ({ created_at }) => created_at),
          actions,
        ]}
        empty={
          <EmptyState icon={<IconSend size={32} aria-hidden />}>
            No deliveries yet. The next matching event will be sent.
          </EmptyState>
        }
      />
      <DetailDrawer title="Attempts" isOpen={shown !== undefined} onClose={row.close}>
        {shown && <Attempts delivery={{ messageId: shown.message_id, attempts: shown.attempts }} />}
      </DetailDrawer>
      {replay.dialog}
    </Section>
  );
}
