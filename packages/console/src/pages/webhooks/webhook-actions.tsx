import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  useDeleteWebhook,
  useRotateSecret,
  useTestWebhook,
  useUpdateWebhook,
  type Webhook,
  type WebhookRef,
} from '../../api/webhooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { pathTo } from '../../paths.ts';
import { FilterInput } from '../health/filter-input.tsx';
import { secretWarning, UrlInput } from './new-webhook.tsx';

interface ActionProps {
  webhook: Webhook;
  webhookRef: WebhookRef;
}

type OpenDialog = 'change' | 'secret' | 'enable' | 'disable' | 'delete';

/** What its maker can do with a webhook, and administrators. */
export function WebhookActions({ webhook, webhookRef }: ActionProps) {
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);
  const testing = useTestWebhook(webhookRef);
  const { isEnabled } = webhook;
  return (
    <>
      <Group gap="sm">
        {isEnabled ? (
          <Button loading={testing.isPending} onClick={() => testing.mutate()}>
            Send test
          </Button>
        ) : (
          <Button onClick={() => setOpen('enable')}>Enable</Button>
        )}
        <Button variant="default" onClick={() => setOpen('change')}>
          Change
        </Button>
        <Button variant="default" onClick={() => setOpen('secret')}>
          New secret
        </Button>
        {isEnabled && (
          <Button variant="default" onClick={() => setOpen('disable')}>
            Disable
          </Button>
        )}
        <Button variant="default" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </Group>
      {testing.error && <Failure error={testing.error} title="No test was sent" />}
      <Dialog opened={open === 'change'} onClose={close} title="Change the webhook" size="lg">
        <ChangeWebhook webhook={webhook} webhookRef={webhookRef} onClose={close} />
      </Dialog>
      <Dialog opened={open === 'secret'} onClose={close} title="New secret">
        <NewSecret webhookRef={webhookRef} onClose={close} />
      </Dialog>
      {(open === 'enable' || open === 'disable') && (
        <Switch webhook={webhook} webhookRef={webhookRef} onClose={close} />
      )}
      {open === 'delete' && <DeleteWebhook webhook={webhook} webhookRef={webhookRef} onClose={close} />}
    </>
  );
}

type DialogProps = ActionProps & { onClose: () => void };

function ChangeWebhook({ webhook, webhookRef, onClose }: DialogProps) {
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

function NewSecret({ webhookRef, onClose }: Omit<DialogProps, 'webhook'>) {
  const rotation = useRotateSecret(webhookRef);
  // Kept here and nowhere else, and goes with the dialog.
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretValue secrets={[['Secret', secret]]} warning={secretWarning} onClose={onClose} />;
  const rotate = () =>
    rotation.mutate(undefined, {
      onSuccess: (made) => {
        setSecret(made.secret);
        rotation.reset();
      },
    });
  return (
    <Form action="Rotate the secret" sending={rotation} onCancel={onClose} onSend={rotate}>
      <Text>For 24 hours messages are signed with both secrets, then only with the new one.</Text>
    </Form>
  );
}

function Switch({ webhook, webhookRef, onClose }: DialogProps) {
  const update = useUpdateWebhook(webhookRef);
  const isEnabled = !webhook.isEnabled;
  return (
    <Confirm
      title={isEnabled ? 'Enable this webhook?' : 'Disable this webhook?'}
      action={isEnabled ? 'Enable' : 'Disable'}
      isDangerous={!isEnabled}
      doing={update}
      onConfirm={() => update.mutate({ isEnabled }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        {isEnabled
          ? 'Changes are sent from now on. What happened meanwhile is not sent.'
          : 'Changes are not sent until it is enabled again, and what waits for another attempt is given up.'}
      </Text>
    </Confirm>
  );
}

function DeleteWebhook({ webhook, webhookRef, onClose }: DialogProps) {
  const deletion = useDeleteWebhook(webhookRef);
  const navigate = useNavigate();
  const remove = () =>
    deletion.mutate(undefined, {
      onSuccess: () =>
        navigate(pathTo('healthSubscription', { subscription: webhookRef.subscriptionId }), { replace: true }),
    });
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete"
      isDangerous
      doing={deletion}
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>
        Nothing is sent to {new URL(webhook.url).host} any more. Its secret and its log of deliveries are lost. This
        cannot be undone.
      </Text>
    </Confirm>
  );
}
