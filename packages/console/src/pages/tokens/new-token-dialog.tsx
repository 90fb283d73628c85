import { Group, Radio, Select, Stack, Text } from '@mantine/core';
import { type TokenScope, userApiTokens_create } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import { type TokenOperations, useCreateToken } from '../../api/tokens.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { type Fields, Form, useField } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { dayOf, expiryChoices, expiryOf, NEVER, ON_A_DATE } from './expiry.ts';
import classes from './new-token-dialog.module.css';

interface NewTokenProps {
  operations: Required<TokenOperations>;
  /** What may be created, with what it may do. */
  access: Partial<Record<TokenScope, string>>;
  /** Recommends another kind of token where that fits better. */
  advice?: ReactNode;
  onClose: () => void;
}

export const NewTokenDialog = ({ opened, ...props }: NewTokenProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={props.onClose} title="New API token">
    <NewToken {...props} />
  </Dialog>
);

function NewToken({ operations, access, advice, onClose }: NewTokenProps) {
  const creation = useCreateToken(operations);
  const [expiry, setExpiry] = useState(NEVER);
  // The value is kept here and nowhere else, and goes with the dialog.
  const [value, setValue] = useState<string>();
  if (value) {
    const warning = 'Copy the token now: after closing this dialog it cannot be displayed again.';
    return <SecretValue secrets={[['Token', value]]} warning={warning} onClose={onClose} />;
  }

  const create = (fields: Fields) =>
    creation.mutate(
      {
        description: fields.text('description'),
        scope: [fields.text('scope') as TokenScope],
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
      {advice && <Text size="sm">{advice}</Text>}
      <TextField
        name="description"
        label="Name"
        rule={needed(fieldsOf(userApiTokens_create)('description'))}
        description="What will use it, so that you know later what it is for."
        placeholder="nightly build"
        autoComplete="off"
        data-autofocus
      />
      <AccessChoice access={access} />
      <Select
        label="Expires"
        data={expiryChoices}
        value={expiry}
        onChange={(chosen) => setExpiry(chosen ?? NEVER)}
        allowDeselect={false}
      />
      {expiry === ON_A_DATE && (
        <TextField name="date" label="Last day" rule={{ isRequired: true }} type="date" min={dayOf(new Date())} />
      )}
    </Form>
  );
}

/** Nothing is chosen beforehand, so that no token gets more access than its maker meant. */
function AccessChoice({ access }: Pick<NewTokenProps, 'access'>) {
  const [scope, setScope] = useState('');
  const { error, onInput } = useField('scope', { isRequired: true });
  const choose = (chosen: string) => {
    setScope(chosen);
    onInput();
  };
  return (
    <>
      <Radio.Group label="Access" value={scope} onChange={choose} error={error && 'Choose what the token may do.'}>
        <Stack gap="xs" mt={4} mb={error ? 4 : 0}>
          {access.all && (
            <AccessCard value="all" title="Full Access">
              {access.all}
            </AccessCard>
          )}
          {access.viewer && (
            <AccessCard value="viewer" title="Read-Only">
              {access.viewer}
            </AccessCard>
          )}
        </Stack>
      </Radio.Group>
      <input type="hidden" name="scope" value={scope} />
    </>
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
