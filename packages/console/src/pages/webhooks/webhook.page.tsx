import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useSubscription } from '../../api/subscriptions.ts';
import { useWebhook, type Webhook, type WebhookRef } from '../../api/webhooks.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { Deliveries } from './deliveries.tsx';
import { FilterText } from './filter-text.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { disabledWords, WebhookState } from './webhook-state.tsx';

export default function WebhookPage() {
  const { subscription: subscriptionId = '', webhook: webhookId = '' } = useParams();
  const webhookRef = { subscriptionId, webhookId };
  const name = useSubscription(subscriptionId).data?.displayName ?? 'Subscription';
  return (
    <Stack gap="sm">
      <TextLink to={pathTo('healthSubscription', { subscription: subscriptionId })} size="xs">
        {name}
      </TextLink>
      <Loaded reading={useWebhook(webhookRef)} isPage>
        {(webhook) => <View webhook={webhook} webhookRef={webhookRef} />}
      </Loaded>
    </Stack>
  );
}

function View({ webhook, webhookRef }: { webhook: Webhook; webhookRef: WebhookRef }) {
  const { url, filter, disabledReason, failingSince, createdBy, createdAt } = webhook;
  return (
    <Page
      title={`Webhook to ${new URL(url).host}`}
      actions={<WebhookActions webhook={webhook} webhookRef={webhookRef} />}
    >
      {disabledReason && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          {disabledWords[disabledReason]}
        </Alert>
      )}
      <DescriptionList
        items={[
          ['Address', <Copyable key="url" value={url} label="address" />],
          ['Events', <FilterText key="filter" filter={filter} />],
          ['Status', <WebhookState key="state" webhook={webhook} />],
          ['Created by', createdBy],
          ['Created', <Time key="made" at={createdAt} />],
          ['Failing since', failingSince ? <Time key="failing" at={failingSince} /> : '—'],
        ]}
      />
      <Deliveries webhookRef={webhookRef} isEnabled={webhook.isEnabled} />
    </Page>
  );
}
