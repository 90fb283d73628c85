import { Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import type { TokenScope } from '@mooring/contract';
import { useState } from 'react';
import { useCreateToken } from '../../api/tokens.ts';
import { type Fields, Form } from '../../parts/form.tsx';
import { dayOf, expiryChoices, expiryOf, NEVER, ON_A_DATE } from './expiry.ts';
import classes from './new-token-dialog.module.css';
import { NewTokenValue } from './new-token-value.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

/** A click beside the dialog does not close it: the value would be lost for good. */
export const NewTokenDialog = ({ opened, onClose }: DialogProps) => (
  <Modal opened={opened} onClose={onClose} title="New API token" closeOnClickOutside={false}>
    <NewToken onClose={onClose} />
  </Modal>
);

function NewToken({ onClose }: { onClose: () => void }) {
  const creation = useCreateToken();
  const [scope, setScope] = useState<TokenScope>('all');
  const [expiry, setExpiry] = useState(NEVER);
  // The value is kept here and nowhere else, and goes with the dialog.
  const [value, setValue] = useState<string>();
  if (value) return <NewTokenValue value={value} onClose={onClose} />;

  const create = (fields: Fields) =>
    creation.mutate(
      {
        description: fields.text('description'),
        scope: [scope],
        expires_at: expiryOf(expiry, fields.text('date') ?? '', Date.now()),
      },
      {
        onSuccess: (created) => {
          setValue(created.api_token);
          creation.reset();
        },
      },
    );
  return (
    <Form action="Create" sending={creation} onSend={create} onCancel={onClose}>
      <TextInput
        name="description"
        label="Name (optional)"
        description="What will use it, so that you know later what it is for."
        placeholder="nightly build"
        maxLength={200}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group label="Access" value={scope} onChange={(chosen) => setScope(chosen as TokenScope)}>
        <Stack gap="xs" mt={4}>
          <AccessCard value="all" title="Full Access">
            everything you may do yourself, in every app and organization
          </AccessCard>
          <AccessCard value="viewer" title="Read-Only">
            can read as a Viewer; cannot change anything
          </AccessCard>
        </Stack>
      </Radio.Group>
      <Select
        label="Expires"
        data={expiryChoices}
        value={expiry}
        onChange={(chosen) => setExpiry(chosen ?? NEVER)}
        allowDeselect={false}
      />
      {expiry === ON_A_DATE && <TextInput name="date" label="Last day" type="date" required min={dayOf(new Date())} />}
    </Form>
  );
}

const AccessCard = ({ value, title, children }: { value: TokenScope; title: string; children: string }) => (
  <Radio.Card value={value} p="sm" className={classes.card}>
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <Radio.Indicator mt={2} />
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
    </Group>
  </Radio.Card>
);
