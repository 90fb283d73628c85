import { Checkbox, Select, Stack, Text } from '@mantine/core';
import { ExportConfigurations_Create } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import { type Export, type ExportChange, type NewExport, useChangeExport, useCreateExport } from '../../api/exports.ts';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { NameField, PasswordField } from '../../parts/fields.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';

const kindWords = {
  blob_storage_connection_string: 'Azure Blob Storage',
  s3: 'S3-compatible bucket',
  file: 'Folder of this server',
  http: 'HTTP endpoint',
  postgres: 'PostgreSQL table',
  application_insights_instrumentation_key: 'Application Insights',
} as const;
type Kind = keyof typeof kindWords;

const entityWords = { crashes: 'Crashes', errors: 'Errors', attachments: 'Attachments' } as const;
const entities = Object.keys(entityWords) as (keyof typeof entityWords)[];

const ruleOf = fieldsOf(ExportConfigurations_Create);
const withoutFiles: readonly Kind[] = ['http', 'postgres', 'application_insights_instrumentation_key'];
const hasFiles = (kind: Kind): boolean => !withoutFiles.includes(kind);

const formatWords = {
  minutes: 'By minute, as JSON arrays',
  json_lines: 'By hour, as JSON Lines, compressed',
  parquet: 'By hour, as Parquet',
} as const;
type Format = keyof typeof formatWords;

type FieldName = Exclude<keyof NewExport, 'type' | 'export_entities' | 'backfill' | 'format' | 'blob_path_format_kind'>;

interface DestinationField {
  name: FieldName;
  label: string;
  isSecret?: boolean;
  isOptional?: boolean;
  description?: string;
  placeholder?: string;
}

/** What each kind of store has to be told. */
const destinationFields: Record<Kind, DestinationField[]> = {
  blob_storage_connection_string: [
    {
      name: 'connection_string',
      label: 'Connection string',
      isSecret: true,
      description: 'Of the storage account, under “Access keys”. Files go into its container archive.',
    },
  ],
  application_insights_instrumentation_key: [
    { name: 'instrumentation_key', label: 'Connection string or instrumentation key', isSecret: true },
  ],
  s3: [
    { name: 'bucket', label: 'Bucket' },
    { name: 'prefix', label: 'Folder in it', isOptional: true },
    { name: 'region', label: 'Region', isOptional: true, placeholder: 'us-east-1' },
    {
      name: 'endpoint',
      label: 'Endpoint',
      isOptional: true,
      description: "For a store other than Amazon's.",
      placeholder: 'https://minio.example.com',
    },
    { name: 'access_key_id', label: 'Access key id' },
    { name: 'secret_access_key', label: 'Secret access key', isSecret: true },
  ],
  file: [
    {
      name: 'folder',
      label: 'Folder',
      description: 'Within the folder of this app in MOORING_EXPORT_FOLDER, which whoever runs this server knows.',
      placeholder: 'raw',
    },
  ],
  http: [
    { name: 'url', label: 'Address', placeholder: 'https://data.example.com/in' },
    {
      name: 'signing_secret',
      label: 'Signing secret',
      isSecret: true,
      description: 'whsec_ and 24 to 64 bytes in base64; posts are signed with it after Standard Webhooks.',
    },
  ],
  postgres: [
    {
      name: 'connection_string',
      label: 'Connection string',
      isSecret: true,
      description: 'postgres://user:password@host:5432/database; its certificate is checked.',
    },
    {
      name: 'table',
      label: 'Table',
      isOptional: true,
      description: 'It is made if it is not there.',
      placeholder: 'mooring_logs',
    },
  ],
};

type Known = Partial<Record<FieldName, string>>;

const entitiesIn = (fields: Fields): NonNullable<NewExport['export_entities']> => {
  const chosen = entities.filter((entity) => fields.isOn(entity));
  return fields.isOn('logs') ? chosen : [...chosen, 'no_logs'];
};

/** What was typed and is not as it is known already. */
const givenIn = (kind: Kind, fields: Fields, known: Known = {}): Known =>
  Object.fromEntries(
    destinationFields[kind].flatMap(({ name }) => {
      const value = fields.text(name) ?? '';
      return value === (known[name] ?? '') ? [] : [[name, value]];
    }),
  );

/** Something small is written there first, so whoever creates one knows that it works. */
export function NewExportForm({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  const creation = useCreateExport(appRef);
  const [kind, setKind] = useState<Kind>('blob_storage_connection_string');
  const [format, setFormat] = useState<Format>('minutes');
  return (
    <Form
      action="Test and create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => {
        const said = { type: kind, export_entities: entitiesIn(fields), backfill: fields.isOn('backfill') };
        const files = hasFiles(kind) ? { format } : {};
        creation.mutate({ ...said, ...files, ...givenIn(kind, fields) }, { onSuccess: onClose });
      }}
    >
      <Select
        label="To"
        data={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        allowDeselect={false}
      />
      <DestinationFields kind={kind} />
      {hasFiles(kind) && (
        <Select
          label="Files"
          data={Object.entries(formatWords).map(([value, label]) => ({ value, label }))}
          value={format}
          onChange={(value) => setFormat(value as Format)}
          allowDeselect={false}
        />
      )}
      <EntityFields kind={kind}>
        <Checkbox name="backfill" label="Also what came before, as far as it is kept" defaultChecked />
      </EntityFields>
      <Text size="sm" c="dimmed">
        Something small is written there first and deleted again. The key is sealed and never shown again.
      </Text>
    </Form>
  );
}

/** Another key, another place of the same kind, or other things that are exported. */
export function ChangeExportForm({ one, onClose }: { one: Export; onClose: () => void }) {
  const { appRef } = useAppHere();
  const change = useChangeExport(appRef);
  const { type, ...known } = one.export_configuration ?? { type: 'file' };
  const kind = type as Kind;
  return (
    <Form
      action="Test and save"
      sending={change}
      onCancel={onClose}
      onSend={(fields) => {
        const said: ExportChange = { export_entities: entitiesIn(fields), ...givenIn(kind, fields, known) };
        change.mutate({ one, ...said }, { onSuccess: onClose });
      }}
    >
      <DestinationFields kind={kind} known={known} />
      <EntityFields kind={kind} chosen={one.export_entities ?? []} />
      <Text size="sm" c="dimmed">
        What is left empty stays as it is. With a new key an export that is Invalid goes on where it was.
      </Text>
    </Form>
  );
}

interface EntityFieldsProps {
  kind: Kind;
  chosen?: NewExport['export_entities'];
  children?: ReactNode;
}

const EntityFields = ({ kind, chosen = [], children }: EntityFieldsProps) => (
  <Stack gap="xs">
    <Text size="sm" fw={500}>
      What is exported
    </Text>
    <Checkbox name="logs" label="Sessions, events and other logs" defaultChecked={!chosen.includes('no_logs')} />
    {kind !== 'application_insights_instrumentation_key' &&
      entities.map((entity) => (
        <Checkbox key={entity} name={entity} label={entityWords[entity]} defaultChecked={chosen.includes(entity)} />
      ))}
    {children}
  </Stack>
);

/** With what is known of a place; what is secret is not. */
const DestinationFields = ({ kind, known }: { kind: Kind; known?: Known }) =>
  destinationFields[kind].map(({ name, isSecret, isOptional, ...field }) => {
    const isKept = known !== undefined && known[name] === undefined;
    const rule = isOptional || isKept ? ruleOf(name) : needed(ruleOf(name));
    const Field = isSecret ? PasswordField : NameField;
    const more = isKept && !isOptional ? { placeholder: 'As it is' } : {};
    return (
      <Field key={name} name={name} rule={rule} autoComplete="off" defaultValue={known?.[name]} {...field} {...more} />
    );
  });
