import { Checkbox, Select, Stack, Text } from '@mantine/core';
import { ExportConfigurations_Create } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import {
  type Export,
  type ExportChange,
  type NewExport,
  useChangeExport,
  useCreateExport,
} from '../../api/telemetry/exports.ts';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { NameField, PasswordField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

const kindLabels = {
  blob_storage_connection_string: 'Azure Blob Storage',
  s3: 'S3-compatible bucket',
  file: 'Folder on this server',
  http: 'HTTP endpoint',
  postgres: 'PostgreSQL table',
  application_insights_instrumentation_key: 'Application Insights',
} as const;
type Kind = keyof typeof kindLabels;

const entityLabels = { crashes: 'Crashes', errors: 'Errors', attachments: 'Attachments' } as const;
const entities = Object.keys(entityLabels) as (keyof typeof entityLabels)[];

const getRule = getBodyRules(ExportConfigurations_Create);
const withoutFiles: readonly Kind[] = ['http', 'postgres', 'application_insights_instrumentation_key'];
const hasFiles = (kind: Kind): boolean => !withoutFiles.includes(kind);

const formatLabels = {
  minutes: 'Every minute, JSON arrays',
  json_lines: 'Hourly, compressed JSON Lines',
  parquet: 'Hourly, Parquet',
} as const;
type Format = keyof typeof formatLabels;

type FieldName = Exclude<keyof NewExport, 'type' | 'export_entities' | 'backfill' | 'format' | 'blob_path_format_kind'>;

interface DestinationField {
  name: FieldName;
  label: string;
  isSecret?: boolean;
  isOptional?: boolean;
  description?: string;
  placeholder?: string;
}

/** Settings of each destination type. */
const destinationFields: Record<Kind, DestinationField[]> = {
  blob_storage_connection_string: [
    {
      name: 'connection_string',
      label: 'Connection string',
      isSecret: true,
      description: 'From “Access keys” of the storage account. Files are written to the container “archive”.',
    },
  ],
  application_insights_instrumentation_key: [
    { name: 'instrumentation_key', label: 'Connection string or instrumentation key', isSecret: true },
  ],
  s3: [
    { name: 'bucket', label: 'Bucket' },
    { name: 'prefix', label: 'Folder in the bucket', isOptional: true },
    { name: 'region', label: 'Region', isOptional: true, placeholder: 'us-east-1' },
    {
      name: 'endpoint',
      label: 'Endpoint',
      isOptional: true,
      description: 'Only for stores other than Amazon S3.',
      placeholder: 'https://minio.example.com',
    },
    { name: 'access_key_id', label: 'Access key ID' },
    { name: 'secret_access_key', label: 'Secret access key', isSecret: true },
  ],
  file: [
    {
      name: 'folder',
      label: 'Folder',
      description: "Relative to this app's folder in MOORING_EXPORT_FOLDER.",
      placeholder: 'raw',
    },
  ],
  http: [
    { name: 'url', label: 'URL', placeholder: 'https://data.example.com/in' },
    {
      name: 'signing_secret',
      label: 'Signing secret',
      isSecret: true,
      description: 'whsec_ followed by 24 to 64 bytes in Base64. Requests are signed according to Standard Webhooks.',
    },
  ],
  postgres: [
    {
      name: 'connection_string',
      label: 'Connection string',
      isSecret: true,
      description: "postgres://user:password@host:5432/database. The server's certificate is verified.",
    },
    {
      name: 'table',
      label: 'Table',
      isOptional: true,
      description: 'Created if it does not exist.',
      placeholder: 'mooring_logs',
    },
  ],
};

type SavedFields = Partial<Record<FieldName, string>>;

const entitiesIn = (fields: Fields): NonNullable<NewExport['export_entities']> => {
  const chosen = entities.filter((entity) => fields.isOn(entity));
  return fields.isOn('logs') ? chosen : [...chosen, 'no_logs'];
};

/** Typed values that differ from the saved ones. */
const readDestination = (kind: Kind, fields: Fields, saved: SavedFields = {}): SavedFields =>
  Object.fromEntries(
    destinationFields[kind].flatMap(({ name }) => {
      const value = fields.text(name) ?? '';
      return value === (saved[name] ?? '') ? [] : [[name, value]];
    }),
  );

/** Tests the destination first, so that users know the export works. */
export function NewExportForm({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const creation = useCreateExport(appRef);
  const [kind, setKind] = useState<Kind>('blob_storage_connection_string');
  const [format, setFormat] = useState<Format>('minutes');
  return (
    <Form
      action="Test and create export"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => {
        const settings = { type: kind, export_entities: entitiesIn(fields), backfill: fields.isOn('backfill') };
        const files = hasFiles(kind) ? { format } : {};
        creation.mutate({ ...settings, ...files, ...readDestination(kind, fields) }, { onSuccess: onClose });
      }}
    >
      <Select
        label="Destination"
        data={Object.entries(kindLabels).map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        allowDeselect={false}
      />
      <DestinationFields kind={kind} />
      {hasFiles(kind) && (
        <Select
          label="Files"
          data={Object.entries(formatLabels).map(([value, label]) => ({ value, label }))}
          value={format}
          onChange={(value) => setFormat(value as Format)}
          allowDeselect={false}
        />
      )}
      <EntityFields kind={kind}>
        <Checkbox name="backfill" label="Include stored data from the past" defaultChecked />
      </EntityFields>
      <Text size="sm" c="dimmed">
        First, the server writes and deletes a small test object. Credentials are stored encrypted and never shown
        again.
      </Text>
    </Form>
  );
}

/** Changes credentials, the location within the destination type, or the exported data. */
export function ChangeExportForm({ one, onClose }: { one: Export; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const change = useChangeExport(appRef);
  const { type, ...saved } = one.export_configuration ?? { type: 'file' };
  const kind = type as Kind;
  return (
    <Form
      action="Test and save export"
      sending={change}
      onCancel={onClose}
      onSend={(fields) => {
        const settings: ExportChange = { export_entities: entitiesIn(fields), ...readDestination(kind, fields, saved) };
        change.mutate({ one, ...settings }, { onSuccess: onClose });
      }}
    >
      <DestinationFields kind={kind} saved={saved} />
      <EntityFields kind={kind} chosen={one.export_entities ?? []} />
      <Text size="sm" c="dimmed">
        Leave a field empty to keep its saved value. With new credentials, an invalid export resumes where it stopped.
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
      Exported data
    </Text>
    <Checkbox name="logs" label="Sessions, events and other logs" defaultChecked={!chosen.includes('no_logs')} />
    {kind !== 'application_insights_instrumentation_key' &&
      entities.map((entity) => (
        <Checkbox key={entity} name={entity} label={entityLabels[entity]} defaultChecked={chosen.includes(entity)} />
      ))}
    {children}
  </Stack>
);

/** Filled with the saved values, except secrets. */
const DestinationFields = ({ kind, saved }: { kind: Kind; saved?: SavedFields }) =>
  destinationFields[kind].map(({ name, isSecret, isOptional, ...field }) => {
    const isSecretSaved = saved !== undefined && saved[name] === undefined;
    const rule = isOptional || isSecretSaved ? getRule(name) : needed(getRule(name));
    const Field = isSecret ? PasswordField : NameField;
    const more = isSecretSaved && !isOptional ? { placeholder: 'Unchanged' } : {};
    return (
      <Field key={name} name={name} rule={rule} autoComplete="off" defaultValue={saved?.[name]} {...field} {...more} />
    );
  });
