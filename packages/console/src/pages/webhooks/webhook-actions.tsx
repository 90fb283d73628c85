import { useState } from 'react';
import {
  useDeleteWebhook,
  useRotateSecret,
  useTestWebhook,
  useUpdateWebhook,
  type Webhook,
  type WebhookRef,
} from '../../api/webhooks.ts';
import { Form } from '../../components/forms/form.tsx';
import { pathTo } from '../../paths.ts';
import { FilterInput } from '../health/filters/filter-input.tsx';
import { UrlInput } from './new-webhook.tsx';
import { WebhookControls } from './webhook-controls.tsx';

interface ActionProps {
  webhook: Webhook;
  webhookRef: WebhookRef;
}

const labels = {
  enable: 'New changes are sent from now on. Changes made while the webhook was disabled are not sent.',
  disable: 'No changes are sent until you enable the webhook again. Pending deliveries are canceled.',
};

/** Actions for the webhook's creator and administrators. */
export function WebhookActions({ webhook, webhookRef }: ActionProps) {
  const testing = useTestWebhook(webhookRef);
  const update = useUpdateWebhook(webhookRef);
  return (
    <WebhookControls
      url={webhook.url}
      isEnabled={webhook.isEnabled}
      labels={labels}
      testing={testing}
      onTest={() => testing.mutate()}
      switching={update}
      onSwitch={(isEnabled, after) => update.mutate({ isEnabled }, after)}
      rotation={useRotateSecret(webhookRef)}
      deletion={useDeleteWebhook(webhookRef)}
      back={pathTo('healthSubscription', { subscription: webhookRef.subscriptionId })}
      changeForm={(onClose) => <ChangeWebhook webhook={webhook} webhookRef={webhookRef} onClose={onClose} />}
    />
  );
}

function ChangeWebhook({ webhook, webhookRef, onClose }: ActionProps & { onClose: () => void }) {
  const saving = useUpdateWebhook(webhookRef);
  const [filter, setFilter] = useState(webhook.filter ?? '');
  return (
    <Form
      action="Save"
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => saving.mutate({ url: fields.text('url') ?? '', filter }, { onSuccess: onClose })}
    >
      <UrlInput value={webhook.url} />
      <FilterInput subscription={webhookRef.subscriptionId} value={filter} onChange={setFilter} />
    </Form>
  );
}
