import { Checkbox, Select, Stack, Text } from '@mantine/core';
import {
  type AnnouncementType,
  announcementTypes,
  appAnnouncementTypes,
  webhookFormats,
  webhooks_create,
} from '@mooring/contract';
import { useState } from 'react';
import {
  type AppWebhook,
  useCreateAppWebhook,
  useUpdateAppWebhook,
  type WebhookOperations,
} from '../../api/app-webhooks.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { eventLabels, formatLabels } from './event-labels.ts';
import { secretWarning } from './new-webhook.tsx';

const getRule = getBodyRules(webhooks_create);
const BY_HOST = 'by-host';

interface WebhookFormTarget {
  operations: WebhookOperations;
  /** Organizations have more event types than apps. */
  isOrg: boolean;
  onClose: () => void;
}

const typesFor = (isOrg: boolean): AnnouncementType[] => (isOrg ? announcementTypes : appAnnouncementTypes);

function read(fields: Fields, isOrg: boolean, format: string) {
  const name = fields.text('name');
  return {
    url: fields.text('url') ?? '',
    event_types: typesFor(isOrg).filter((type) => fields.isOn(type)),
    ...(name === undefined ? {} : { name }),
    filter: fields.text('filter') ?? '',
    ...(format === BY_HOST ? {} : { format: format as (typeof webhookFormats)[number] }),
  };
}

function WebhookFields({
  webhook,
  isOrg,
  format,
  onFormat,
}: {
  webhook?: AppWebhook;
  isOrg: boolean;
  format: string;
  onFormat: (format: string) => void;
}) {
  return (
    <>
      <TextField
        name="url"
        label="URL"
        rule={getRule('url')}
        description="Receives messages as POST requests. Must use https."
        placeholder="https://hooks.example.com/mooring"
        type="url"
        defaultValue={webhook?.url}
        autoComplete="off"
        data-autofocus
      />
      <NameField
        name="name"
        label="Name"
        rule={getRule('name')}
        defaultValue={webhook?.name}
        placeholder="Crashes to chat"
      />
      <Select
        label="Format"
        data={[
          ...(webhook ? [] : [{ value: BY_HOST, label: 'Automatic: Slack, Teams or CloudEvents' }]),
          ...webhookFormats.map((value) => ({ value, label: formatLabels[value] })),
        ]}
        value={format}
        onChange={(value) => onFormat(value ?? BY_HOST)}
        allowDeselect={false}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Events
        </Text>
        {typesFor(isOrg).map((type) => (
          <Checkbox
            key={type}
            name={type}
            label={eventLabels[type]}
            defaultChecked={webhook ? webhook.event_types.includes(type) : type === 'newCrashGroupCreated'}
          />
        ))}
      </Stack>
      <TextField
        name="filter"
        label="Filter"
        rule={getRule('filter')}
        description="Send only matching events, for example branch eq 'main' and build_status eq 'Failed'."
        placeholder={isOrg ? "app_name eq 'compass'" : "kind eq 'crash'"}
        defaultValue={webhook?.filter}
        autoComplete="off"
      />
    </>
  );
}

export function NewAppWebhook({ operations, isOrg, onClose }: WebhookFormTarget) {
  const creation = useCreateAppWebhook(operations);
  const [format, setFormat] = useState<string>(BY_HOST);
  // The secret exists only in this dialog's state.
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretValue secrets={[['Secret', secret]]} warning={secretWarning} onClose={onClose} />;
  return (
    <Form
      action="Create webhook"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(read(fields, isOrg, format), {
          onSuccess: (made) => {
            setSecret(made.secret);
            creation.reset();
          },
        })
      }
    >
      <WebhookFields isOrg={isOrg} format={format} onFormat={setFormat} />
    </Form>
  );
}

export function ChangeAppWebhook({ operations, isOrg, webhook, onClose }: WebhookFormTarget & { webhook: AppWebhook }) {
  const saving = useUpdateAppWebhook(operations, webhook.id);
  const [format, setFormat] = useState<string>(webhook.format);
  return (
    <Form
      action="Save"
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => saving.mutate(read(fields, isOrg, format), { onSuccess: onClose })}
    >
      <WebhookFields webhook={webhook} isOrg={isOrg} format={format} onFormat={setFormat} />
    </Form>
  );
}
