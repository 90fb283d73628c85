import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
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
  /** What comes of it if it is enabled, and if it is disabled. */
  words: { enable: string; disable: string };
  testing: Doing;
  onTest: () => void;
  switching: Doing;
  onSwitch: (isEnabled: boolean, after: { onSuccess: () => void }) => void;
  rotation: Rotation;
  deletion: UseMutationResult<unknown, Error, unknown>;
  /** The list that it is in. */
  back: string;
  changeForm: (onClose: () => void) => ReactNode;
}

type OpenDialog = 'change' | 'secret' | 'switch' | 'delete';

/** What can be done with a webhook, whatever it tells of. */
export function WebhookControls(props: Props) {
  const { isEnabled, testing, onTest, switching, rotation, deletion, changeForm } = props;
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => {
    setOpen(undefined);
    // Whoever opens it again sees no old reason.
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
            Send test
          </Button>
        ) : (
          <Button onClick={() => setOpen('switch')}>Enable</Button>
        )}
        {opener('change', 'Change')}
        {opener('secret', 'New secret')}
        {isEnabled && opener('switch', 'Disable')}
        {opener('delete', 'Delete')}
      </Group>
      {testing.error != null && <Failure error={testing.error} title="No test was sent" />}
      <Dialog opened={open === 'change'} onClose={close} title="Change the webhook" size="lg">
        {changeForm(close)}
      </Dialog>
      <Dialog opened={open === 'secret'} onClose={close} title="New secret">
        <NewSecret rotation={rotation} onClose={close} />
      </Dialog>
      {open === 'switch' && <Switch {...props} onClose={close} />}
      {open === 'delete' && <Deletion {...props} onClose={close} />}
    </>
  );
}

function NewSecret({ rotation, onClose }: { rotation: Rotation; onClose: () => void }) {
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

type DialogProps = Props & { onClose: () => void };

function Switch({ words, switching, onSwitch, onClose, ...props }: DialogProps) {
  // As it was when it was asked: once it is done, the question must not turn round under somebody's finger.
  const [isEnabled] = useState(props.isEnabled);
  const action = isEnabled ? 'Disable' : 'Enable';
  return (
    <Confirm
      title={`${action} this webhook?`}
      action={action}
      isDangerous={isEnabled}
      doing={switching}
      onConfirm={() => onSwitch(!isEnabled, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{isEnabled ? words.disable : words.enable}</Text>
    </Confirm>
  );
}

function Deletion({ url, deletion, back, onClose }: DialogProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete"
      isDangerous
      doing={deletion}
      onConfirm={() => deletion.mutate(undefined, { onSuccess: () => navigate(back, { replace: true }) })}
      onClose={onClose}
    >
      <Text>
        Nothing is sent to {new URL(url).host} any more. Its secret and its log of deliveries are lost. This cannot be
        undone.
      </Text>
    </Confirm>
  );
}
