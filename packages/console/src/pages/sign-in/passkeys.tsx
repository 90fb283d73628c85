import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { passkeys_create } from '@mooring/contract';
import { useState } from 'react';
import {
  isCanceled,
  type Passkey,
  useCreatePasskey,
  useDeletePasskey,
  usePasskeys,
  useRenamePasskey,
} from '../../api/account/passkeys.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { Time } from '../../components/text/time.tsx';
import { supportsPasskeys } from './passkey-button.tsx';

const rules = getBodyRules(passkeys_create);

/** Passkeys of the account: they sign in instead of the password. */
export function Passkeys() {
  const passkeys = usePasskeys();
  const [edited, setEdited] = useState<Passkey | 'new'>();
  const close = () => setEdited(undefined);
  const removal = useConfirm<Passkey>({
    title: ({ name }) => `Remove passkey ${name}?`,
    action: 'Remove passkey',
    consequence: () => 'It no longer signs in to your account. Delete it from your device, too.',
    openDialog: useDeletePasskey(),
  });
  return (
    <Stack>
      <Title order={2} size="h4">
        Passkeys
      </Title>
      <Text c="dimmed">Sign in with a fingerprint, a face or a security key, instead of your password.</Text>
      <QueryBoundary query={passkeys}>
        {(list) => (
          <Stack gap="xs" role="list" aria-label="Passkeys">
            {list.map((passkey) => (
              <Group key={passkey.id} role="listitem" justify="space-between" wrap="nowrap">
                <div>
                  <Text size="sm" fw={600}>
                    {passkey.name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {passkey.is_synced ? 'Synced. ' : ''}Last used:{' '}
                    {passkey.last_used_at ? <Time at={passkey.last_used_at} /> : 'never'}
                  </Text>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <RowButton onClick={() => setEdited(passkey)} label={`Rename ${passkey.name}`}>
                    Rename
                  </RowButton>
                  <RowButton onClick={() => removal.open(passkey)} label={`Remove ${passkey.name}`}>
                    Remove
                  </RowButton>
                </Group>
              </Group>
            ))}
          </Stack>
        )}
      </QueryBoundary>
      <Group>
        <Button variant="default" disabled={!supportsPasskeys()} onClick={() => setEdited('new')}>
          Add passkey
        </Button>
      </Group>
      <Dialog
        opened={edited !== undefined}
        onClose={close}
        title={edited === 'new' ? 'Add passkey' : `Rename ${edited?.name}`}
      >
        {edited === 'new' && <NewPasskey onClose={close} />}
        {edited && edited !== 'new' && <Rename passkey={edited} onClose={close} />}
      </Dialog>
      {removal.dialog}
    </Stack>
  );
}

function NewPasskey({ onClose }: { onClose: () => void }) {
  const creation = useCreatePasskey();
  const error = isCanceled(creation.error) ? null : creation.error;
  return (
    <Form
      action="Create passkey"
      isFleeting
      sending={{ isPending: creation.isPending, error }}
      onCancel={onClose}
      onSend={(fields) => creation.mutate(fields.text('name') ?? '', { onSuccess: onClose })}
    >
      <TextField
        name="name"
        label="Name"
        rule={rules('name')}
        description="So that you recognize the device. Your browser then asks you to create the passkey."
        data-autofocus
      />
    </Form>
  );
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const renaming = useRenamePasskey(passkey);
  return (
    <Form
      action="Rename passkey"
      sending={renaming}
      onCancel={onClose}
      onSend={(fields) => renaming.mutate(fields.text('name') ?? '', { onSuccess: onClose })}
    >
      <TextField name="name" label="Name" rule={rules('name')} defaultValue={passkey.name} data-autofocus />
    </Form>
  );
}
