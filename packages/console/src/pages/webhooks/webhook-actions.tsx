import { useState } from 'react';
import {
  useDeleteWebhook,
  useRotateSecret,
  useTestWebhook,
  useUpdateWebhook,
  type Webhook,
  type WebhookRef,
} from '../../api/webhooks.ts';
import { Form } from '../../parts/form.tsx';
import { pathTo } from '../../paths.ts';
import { FilterInput } from '../health/filter-input.tsx';
import { UrlInput } from './new-webhook.tsx';
import { WebhookControls } from './webhook-controls.tsx';

interface ActionProps {
  webhook: Webhook;
  webhookRef: WebhookRef;
}

const words = {
  enable: 'Changes are sent from now on. What happened meanwhile is not sent.',
  disable: 'Changes are not sent until it is enabled again, and what waits for another attempt is given up.',
};

/** What its maker can do with a webhook, and administrators. */
export function WebhookActions({ webhook, webhookRef }: ActionProps) {
  const testing = useTestWebhook(webhookRef);
  const update = useUpdateWebhook(webhookRef);
  return (
    <WebhookControls
      url={webhook.url}
      isEnabled={webhook.isEnabled}
      words={words}
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
