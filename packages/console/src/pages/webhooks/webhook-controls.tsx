import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { secretWarning } from './new-webhook.tsx';

interface Doing {
  isPending: boolean;
  error: unknown;
  reset: () => void;
}

type Rotation = UseMutationResult<{ secret: string }, Error, unknown>;

interface Props {
  url: string;
  isEnabled: boolean;
  /** Consequences of enabling and disabling. */
  labels: { enable: string; disable: string };
  testing: Doing;
  onTest: () => void;
  switching: Doing;
  onSwitch: (isEnabled: boolean, after: { onSuccess: () => void }) => void;
  rotation: Rotation;
  deletion: UseMutationResult<unknown, Error, unknown>;
  /** Path of the webhook list. */
  back: string;
  changeForm: (onClose: () => void) => ReactNode;
}

type OpenDialog = 'change' | 'secret' | 'switch' | 'delete';

/** Actions for webhooks of all kinds. */
export function WebhookControls(props: Props) {
  const { isEnabled, testing, onTest, switching, rotation, deletion, changeForm } = props;
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => {
    setOpen(undefined);
    // Clears the previous error when a dialog reopens.
    for (const each of [switching, rotation, deletion]) each.reset();
  };
  const opener = (dialog: OpenDialog, label: string) => (
    <Button variant="default" onClick={() => setOpen(dialog)}>
      {label}
    </Button>
  );
  return (
    <>
      <Group gap="sm">
        {isEnabled ? (
          <Button loading={testing.isPending} onClick={onTest}>
            Send test message
          </Button>
        ) : (
          <Button onClick={() => setOpen('switch')}>Enable webhook</Button>
        )}
        {opener('change', 'Edit webhook')}
        {opener('secret', 'Rotate secret')}
        {isEnabled && opener('switch', 'Disable webhook')}
        {opener('delete', 'Delete webhook')}
      </Group>
      {testing.error != null && <Failure error={testing.error} title="Couldn't send a test message" />}
      <Dialog opened={open === 'change'} onClose={close} title="Edit webhook" size="lg">
        {changeForm(close)}
      </Dialog>
      <Dialog opened={open === 'secret'} onClose={close} title="Rotate secret">
        <NewSecret rotation={rotation} onClose={close} />
      </Dialog>
      {open === 'switch' && <Switch {...props} onClose={close} />}
      {open === 'delete' && <Deletion {...props} onClose={close} />}
    </>
  );
}

function NewSecret({ rotation, onClose }: { rotation: Rotation; onClose: () => void }) {
  // The secret exists only in this dialog's state.
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
    <Form action="Rotate secret" sending={rotation} onCancel={onClose} onSend={rotate}>
      <Text>For 24 hours, messages are signed with both secrets, then only with the new one.</Text>
    </Form>
  );
}

type DialogProps = Props & { onClose: () => void };

function Switch({ labels, switching, onSwitch, onClose, ...props }: DialogProps) {
  // Fixes the action at opening: its result must not change the question.
  const [isEnabled] = useState(props.isEnabled);
  const action = isEnabled ? 'Disable webhook' : 'Enable webhook';
  return (
    <ConfirmDialog
      title={`${action}?`}
      action={action}
      isDangerous={isEnabled}
      mutation={switching}
      onConfirm={() => onSwitch(!isEnabled, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{isEnabled ? labels.disable : labels.enable}</Text>
    </ConfirmDialog>
  );
}

function Deletion({ url, deletion, back, onClose }: DialogProps) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title="Delete webhook?"
      action="Delete webhook"
      isDangerous
      mutation={deletion}
      onConfirm={() => deletion.mutate(undefined, { onSuccess: () => navigate(back, { replace: true }) })}
      onClose={onClose}
    >
      <Text>
        No more messages are sent to {new URL(url).host}. Deletes the secret and the delivery log. This cannot be
        undone.
      </Text>
    </ConfirmDialog>
  );
}
