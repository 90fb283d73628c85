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
} from '../../api/webhooks-of-apps.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { eventWords, formatWords } from './event-words.ts';
import { secretWarning } from './new-webhook.tsx';

const ruleOf = fieldsOf(webhooks_create);
const BY_HOST = 'by-host';

interface Choice {
  of: WebhookOperations;
  /** An organization is told of more than an app. */
  isOfOrg: boolean;
  onClose: () => void;
}

const typesFor = (isOfOrg: boolean): AnnouncementType[] => (isOfOrg ? announcementTypes : appAnnouncementTypes);

function read(fields: Fields, isOfOrg: boolean, format: string) {
  const name = fields.text('name');
  return {
    url: fields.text('url') ?? '',
    event_types: typesFor(isOfOrg).filter((type) => fields.isOn(type)),
    ...(name === undefined ? {} : { name }),
    filter: fields.text('filter') ?? '',
    ...(format === BY_HOST ? {} : { format: format as (typeof webhookFormats)[number] }),
  };
}

function WebhookFields({
  webhook,
  isOfOrg,
  format,
  onFormat,
}: {
  webhook?: AppWebhook;
  isOfOrg: boolean;
  format: string;
  onFormat: (format: string) => void;
}) {
  return (
    <>
      <TextField
        name="url"
        label="Address"
        rule={ruleOf('url')}
        description="Messages are sent there by POST. It must be reached by https."
        placeholder="https://hooks.example.com/mooring"
        type="url"
        defaultValue={webhook?.url}
        autoComplete="off"
        data-autofocus
      />
      <NameField
        name="name"
        label="Name"
        rule={ruleOf('name')}
        defaultValue={webhook?.name}
        placeholder="Crashes to chat"
      />
      <Select
        label="Form"
        data={[
          ...(webhook ? [] : [{ value: BY_HOST, label: 'By its address: Slack, Teams, or CloudEvents' }]),
          ...webhookFormats.map((value) => ({ value, label: formatWords[value] })),
        ]}
        value={format}
        onChange={(value) => onFormat(value ?? BY_HOST)}
        allowDeselect={false}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          What is told
        </Text>
        {typesFor(isOfOrg).map((type) => (
          <Checkbox
            key={type}
            name={type}
            label={eventWords[type]}
            defaultChecked={webhook ? webhook.event_types.includes(type) : type === 'newCrashGroupCreated'}
          />
        ))}
      </Stack>
      <TextField
        name="filter"
        label="Filter"
        rule={ruleOf('filter')}
        description="Only events that match, by the fields that are told, such as branch eq 'main' and build_status eq 'Failed'."
        placeholder={isOfOrg ? "app_name eq 'compass'" : "kind eq 'crash'"}
        defaultValue={webhook?.filter}
        autoComplete="off"
      />
    </>
  );
}

export function NewAppWebhook({ of, isOfOrg, onClose }: Choice) {
  const creation = useCreateAppWebhook(of);
  const [format, setFormat] = useState<string>(BY_HOST);
  // Kept here and nowhere else, and goes with the dialog.
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretValue secrets={[['Secret', secret]]} warning={secretWarning} onClose={onClose} />;
  return (
    <Form
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(read(fields, isOfOrg, format), {
          onSuccess: (made) => {
            setSecret(made.secret);
            creation.reset();
          },
        })
      }
    >
      <WebhookFields isOfOrg={isOfOrg} format={format} onFormat={setFormat} />
    </Form>
  );
}

export function ChangeAppWebhook({ of, isOfOrg, webhook, onClose }: Choice & { webhook: AppWebhook }) {
  const saving = useUpdateAppWebhook(of, webhook.id);
  const [format, setFormat] = useState<string>(webhook.format);
  return (
    <Form
      action="Save"
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => saving.mutate(read(fields, isOfOrg, format), { onSuccess: onClose })}
    >
      <WebhookFields webhook={webhook} isOfOrg={isOfOrg} format={format} onFormat={setFormat} />
    </Form>
  );
}
