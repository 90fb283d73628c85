import { Group, Radio, Select, Stack, Text } from '@mantine/core';
import { type TokenScope, userApiTokens_create } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import { type NewToken as NewTokenBody, type TokenOperations, useCreateToken } from '../../api/account/tokens.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form, useField } from '../../components/forms/form.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { expiryChoices, formatDay, getExpiry, NEVER, ON_A_DATE } from './expiry.ts';
import classes from './new-token-dialog.module.css';
import { type ChosenLimits, noLimits, PermissionFields, splitNames } from './permission-fields.tsx';

const CUSTOM = 'permissions';

/** Empty fields are no limits. */
function toBody({ permissions, apps, deployments, networks }: ChosenLimits): NewTokenBody {
  const lists = { apps: splitNames(apps), deployments: splitNames(deployments), networks: splitNames(networks) };
  return { scope: permissions, ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)) };
}

interface NewTokenProps {
  operations: Required<TokenOperations>;
  /** Available access levels with descriptions. */
  access: Partial<Record<TokenScope, string>>;
  /** True if the token can be limited to apps. */
  hasApps?: boolean;
  /** Hint to a more suitable type of token. */
  advice?: ReactNode;
  onClose: () => void;
}

export const NewTokenDialog = ({ opened, ...props }: NewTokenProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={props.onClose} title="New API token">
    <NewToken {...props} />
  </Dialog>
);

function NewToken({ operations, access, hasApps = false, advice, onClose }: NewTokenProps) {
  const creation = useCreateToken(operations);
  const [expiry, setExpiry] = useState(NEVER);
  // The token's value exists only in this dialog's state.
  const [value, setValue] = useState<string>();
  const [scope, setScope] = useState('');
  const [limits, setLimits] = useState(noLimits);
  if (value) {
    const warning = "Copy the token now. You can't see it again after closing this dialog.";
    return <SecretValue secrets={[['Token', value]]} warning={warning} onClose={onClose} />;
  }

  const create = (fields: Fields) =>
    creation.mutate(
      {
        description: fields.text('description'),
        ...(scope === CUSTOM ? toBody(limits) : { scope: [scope as TokenScope] }),
        expires_at: getExpiry(expiry, fields.text('date') ?? '', Date.now()),
      },
      {
        onSuccess: (created) => {
          setValue(created.api_token);
          creation.reset();
        },
      },
    );
  return (
    <Form action="Create token" sending={creation} onSend={create} onCancel={onClose}>
      {advice && <Text size="sm">{advice}</Text>}
      <TextField
        name="description"
        label="Name"
        rule={needed(getBodyRules(userApiTokens_create)('description'))}
        description="Where you use this token, such as a script or pipeline."
        placeholder="Nightly build"
        autoComplete="off"
        data-autofocus
      />
      <AccessChoice access={access} scope={scope} onChoose={setScope} />
      {scope === CUSTOM && <PermissionFields limits={limits} onChange={setLimits} hasApps={hasApps} />}
      <Select
        label="Expires"
        data={expiryChoices}
        value={expiry}
        onChange={(chosen) => setExpiry(chosen ?? NEVER)}
        allowDeselect={false}
      />
      {expiry === ON_A_DATE && (
        <TextField name="date" label="Last day" rule={{ isRequired: true }} type="date" min={formatDay(new Date())} />
      )}
    </Form>
  );
}

interface AccessChoiceProps extends Pick<NewTokenProps, 'access'> {
  scope: string;
  onChoose: (scope: string) => void;
}

/** No default, so that no token gets more access than intended. */
function AccessChoice({ access, scope, onChoose }: AccessChoiceProps) {
  const { error, onInput } = useField('scope', { isRequired: true });
  const choose = (chosen: string) => {
    onChoose(chosen);
    onInput();
  };
  return (
    <>
      <Radio.Group label="Access" value={scope} onChange={choose} error={error && 'Choose an access level.'}>
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
          {access.all && (
            <AccessCard value={CUSTOM} title="Permissions">
              Only what you choose, such as uploading releases of one app.
            </AccessCard>
          )}
        </Stack>
      </Radio.Group>
      <input type="hidden" name="scope" value={scope} />
    </>
  );
}

const AccessCard = ({
  value,
  title,
  children,
}: {
  value: TokenScope | typeof CUSTOM;
  title: string;
  children: string;
}) => (
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
