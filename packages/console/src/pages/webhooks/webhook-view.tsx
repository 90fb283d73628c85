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
} from '../../api/webhooks-of-apps.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { Time } from '../../parts/time.tsx';
import { Attempts, answerOf } from './attempts.tsx';
import { deliveryColours, deliveryWords } from './deliveries.tsx';
import { eventWords, formatWords } from './event-words.ts';
import { FilterText } from './filter-text.tsx';
import { WebhookControls } from './webhook-controls.tsx';
import { ChangeAppWebhook } from './webhook-form.tsx';
import { disabledWords, stateOf, WebhookState } from './webhook-state.tsx';

interface Props {
  of: WebhookOperations;
  id: string;
  isOfOrg: boolean;
  mayChange: boolean;
  /** The list that it is in. */
  back: string;
}

export const WebhookView = (props: Props) => (
  <Loaded reading={useAppWebhook(props.of, props.id)} isPage>
    {(webhook) => <View {...props} webhook={webhook} />}
  </Loaded>
);

type ViewProps = Props & { webhook: AppWebhook };

function View(props: ViewProps) {
  const { webhook, mayChange } = props;
  const { url, name, event_types, filter, format, disabled_reason, failing_since, created_at } = webhook;
  return (
    <Page title={name} actions={mayChange && <Actions {...props} />}>
      {disabled_reason && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          {disabled_reason === 'AccessLost'
            ? 'The app has another owner, so nothing is sent. Enable it if its receiver is still yours.'
            : disabledWords[disabled_reason]}
        </Alert>
      )}
      <DescriptionList
        items={[
          ['Address', mayChange ? <Copyable key="url" value={url} label="address" /> : url],
          ['Events', event_types.map((type) => eventWords[type]).join(', ')],
          ['Filter', <FilterText key="filter" filter={filter} />],
          ['Form', formatWords[format]],
          ['Status', <WebhookState key="state" webhook={stateOf(webhook)} />],
          ['Created', <Time key="made" at={created_at} />],
          ['Failing since', failing_since ? <Time key="failing" at={failing_since} /> : '—'],
        ]}
      />
      <Deliveries {...props} />
    </Page>
  );
}

const words = {
  enable: 'What happens is sent from now on. What happened meanwhile is not sent.',
  disable: 'Nothing is sent until it is enabled again, and what waits for another attempt is given up.',
};

function Actions({ of, webhook, isOfOrg, back }: ViewProps) {
  const testing = useTestAppWebhook(of, webhook.id);
  const update = useUpdateAppWebhook(of, webhook.id);
  const [first] = webhook.event_types;
  return (
    <WebhookControls
      url={webhook.url}
      isEnabled={webhook.enabled}
      words={words}
      testing={testing}
      onTest={() => first && testing.mutate(first)}
      switching={update}
      onSwitch={(enabled, after) => update.mutate({ enabled }, after)}
      rotation={useRotateAppWebhook(of, webhook.id)}
      deletion={useDeleteAppWebhook(of, webhook.id)}
      back={back}
      changeForm={(onClose) => <ChangeAppWebhook of={of} isOfOrg={isOfOrg} webhook={webhook} onClose={onClose} />}
    />
  );
}

function Deliveries({ of, webhook, mayChange }: ViewProps) {
  const deliveries = useAppDeliveries(of, webhook.id);
  const row = useOpenRow();
  const shown = deliveries.data?.find(({ id }) => id === row.key);
  const replay = useQuestion<AppDelivery>({
    title: ({ subject }) => `Send “${subject}” again?`,
    action: 'Replay',
    isDangerous: false,
    loss: () => 'The same message is sent once more, with the same webhook-id, and this delivery stays in the log.',
    doing: useReplayAppDelivery(of, webhook.id),
  });
  const actions = actionsColumn<AppDelivery>(180, (delivery) => (
    <>
      <RowButton onClick={() => row.open(delivery.id)} label={`Attempts of “${delivery.subject}”`}>
        Attempts
      </RowButton>
      {mayChange && webhook.enabled && (
        <RowButton onClick={() => replay.ask(delivery)} label={`Replay “${delivery.subject}”`}>
          Replay
        </RowButton>
      )}
    </>
  ));
  return (
    <Part title="Deliveries" lead="Newest first, kept for 30 days.">
      <DataTable
        label="Deliveries"
        reading={deliveries}
        keyOf={({ id }) => id}
        isServers
        columns={[
          {
            label: 'Message',
            width: '36%',
            isWrapped: true,
            text: ({ subject }) => subject,
            cell: ({ subject, is_replay }) => (
              <Group gap="xs">
                {subject}
                {is_replay && <Badge color="gray">A replay</Badge>}
              </Group>
            ),
          },
          {
            label: 'Status',
            width: 120,
            text: ({ state }) => deliveryWords[state],
            cell: ({ state }) => <Badge color={deliveryColours[state]}>{deliveryWords[state]}</Badge>,
          },
          {
            label: 'Answer',
            text: ({ attempts }) => answerOf(attempts.at(-1)),
            cell: ({ attempts }) => answerOf(attempts.at(-1)),
          },
          timeColumn<AppDelivery>('Created', ({ created_at }) => created_at),
          actions,
        ]}
        empty={
          <Empty icon={<IconSend size={32} aria-hidden />}>
            Nothing was sent yet. What happens next and is asked for will be.
          </Empty>
        }
      />
      <DetailDrawer title="Attempts" isOpen={shown !== undefined} onClose={row.close}>
        {shown && <Attempts delivery={{ messageId: shown.message_id, attempts: shown.attempts }} />}
      </DetailDrawer>
      {replay.dialog}
    </Part>
  );
}
