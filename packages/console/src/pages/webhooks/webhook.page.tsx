import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useSubscription } from '../../api/health/subscriptions.ts';
import { useWebhook, type Webhook, type WebhookRef } from '../../api/webhooks.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { pathTo } from '../../paths.ts';
import { Deliveries } from './deliveries.tsx';
import { FilterText } from './filter-text.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { disabledLabels, WebhookState } from './webhook-state.tsx';

export default function WebhookPage() {
  const { subscription: subscriptionId = '', webhook: webhookId = '' } = useParams();
  const webhookRef = { subscriptionId, webhookId };
  const name = useSubscription(subscriptionId).data?.displayName ?? 'Subscription';
  return (
    <Stack gap="sm">
      <TextLink to={pathTo('healthSubscription', { subscription: subscriptionId })} size="xs">
        {name}
      </TextLink>
      <QueryBoundary query={useWebhook(webhookRef)} isPage>
        {(webhook) => <View webhook={webhook} webhookRef={webhookRef} />}
      </QueryBoundary>
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
          {disabledLabels[disabledReason]}
        </Alert>
      )}
      <DescriptionList
        items={[
          ['URL', <Copyable key="url" value={url} label="URL" />],
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
