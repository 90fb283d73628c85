import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** Kinds that were there before; the last two need a cloud that makes storage for its customers. */
export const azureExportTypes = [
  'blob_storage_connection_string',
  'application_insights_instrumentation_key',
  'blob_storage_linked_subscription',
  'application_insights_linked_subscription',
] as const;
/** Kinds of ours. */
export const ownExportTypes = ['s3', 'file', 'http', 'postgres'] as const;
export const exportTypes = [...azureExportTypes, ...ownExportTypes] as const;
export const exportEntities = ['crashes', 'errors', 'attachments', 'no_logs'] as const;
export const exportFormats = ['minutes', 'json_lines', 'parquet'] as const;

const Entities = Type.Array(Type.Enum([...exportEntities]), {
  maxItems: 4,
  description: 'Logs of sessions and events are exported unless `no_logs` is among these; the others add something.',
});
const Line = Type.String({ minLength: 1, maxLength: 1024, pattern: '^[^\\p{Cc}]+$' });
const Resource = Type.String({ maxLength: 256 });
const PathFormat = Type.Enum(['WithoutAppId', 'WithAppId'], {
  description: 'Whether the id of the app is in front of every path. Of a folder on this server it always is.',
});
const Format = Type.Enum([...exportFormats], {
  description:
    '`minutes`: a file for each minute, a JSON array of records whose values are texts. `json_lines`: the same records by hour, one a line, compressed by gzip. `parquet`: the same by hour, as Parquet with a column of text for each field.',
});

const shared = {
  export_entities: Type.Optional(Entities),
  resource_name: Type.Optional(Resource),
  resource_group: Type.Optional(Resource),
  backfill: Type.Optional(
    Type.Boolean({ description: 'Whether what came before is exported too, as far as it is kept. It is if absent.' }),
  ),
};

/** What is no secret, and comes back. */
const open = {
  blob_path_format_kind: Type.Optional(PathFormat),
  format: Type.Optional(Format),
  folder: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*$',
      description: 'Of `file`: a folder within that of the app, which is in MOORING_EXPORT_FOLDER.',
    }),
  ),
  bucket: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' })),
  prefix: Type.Optional(Type.String({ maxLength: 200, pattern: '^([\\w-][\\w.-]*(/[\\w-][\\w.-]*)*)?$' })),
  region: Type.Optional(Type.String({ maxLength: 64, pattern: '^[a-z0-9-]+$' })),
  endpoint: Type.Optional(Line),
  access_key_id: Type.Optional(Type.String({ maxLength: 256, pattern: '^[!-~]+$' })),
  table: Type.Optional(
    Type.String({
      pattern: '^[a-z_][a-z0-9_]{0,62}([.][a-z_][a-z0-9_]{0,62})?$',
      description:
        'Of `postgres`: where records become rows, `mooring_logs` if absent; with a schema in front if need be. It is made if it is not there.',
    }),
  ),
};

const secrets = {
  connection_string: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'Of a storage account: AccountName, AccountKey and where it is. Of `postgres`: postgres://user:password@host:5432/database, with ?sslmode= if its certificate cannot be checked.',
    }),
  ),
  instrumentation_key: Type.Optional(
    Type.String({ maxLength: 4096, description: 'A key, or a connection string of Application Insights.' }),
  ),
  subscription_id: Type.Optional(Line),
  secret_access_key: Type.Optional(Type.String({ maxLength: 256, pattern: '^[!-~]+$' })),
  url: Type.Optional(Type.String({ maxLength: 2048, description: 'Of `http`: where records are posted to.' })),
  signing_secret: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'Of `http`: what posts are signed with after Standard Webhooks; `whsec_` and 24 to 64 bytes in base64.',
    }),
  ),
};

const change = { ...shared, ...open, ...secrets };

export const NewExportConfiguration = Type.Object(
  { type: Type.Enum([...exportTypes]), ...change },
  { $id: 'NewExportConfiguration' },
);

export const ExportConfigurationChange = Type.Object(
  { type: Type.Optional(Type.Enum([...exportTypes])), ...change },
  { $id: 'ExportConfigurationChange' },
);

export const ExportConfiguration = Type.Object(
  {
    id: Type.String(),
    export_type: Type.Enum(['BlobStorage', 'AppInsights', 'S3', 'File', 'Http', 'Postgres']),
    creation_time: Time,
    last_run_time: Type.Optional(Time),
    export_entities: Type.Optional(Type.Array(Type.Enum([...exportEntities]))),
    state: Type.Enum(['Enabled', 'Disabled', 'Pending', 'Deleted', 'Invalid']),
    state_info: Type.Optional(Type.String({ description: 'Why it is Invalid or waits.' })),
    resource_group: Type.Optional(Type.String()),
    resource_name: Type.Optional(Type.String()),
    export_configuration: Type.Optional(
      Type.Object(
        {
          type: Type.Enum([...exportTypes]),
          ...shared,
          ...open,
          host: Type.Optional(Type.String({ description: 'Where it goes to.' })),
        },
        { description: 'Without its secrets.' },
      ),
    ),
    last_error: Type.Optional(Type.String()),
    last_error_time: Type.Optional(Time),
    failing_since: Type.Optional(Time),
    waiting_batches: Type.Integer({ description: 'How many batches that devices sent are not written yet.' }),
    waiting_parts: Type.Integer({
      description:
        'How many days, or parts of days, of the back-fill are not written yet, and one more for crashes, errors and attachments.',
    }),
    waiting_since: Type.Optional(Type.String({ format: 'date-time', description: 'When the oldest of them came.' })),
  },
  { $id: 'ExportConfiguration' },
);

export const ExportTest = Type.Object(
  {
    succeeded: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Why nothing could be written there.' })),
    tested_at: Time,
    milliseconds: Type.Integer({ description: 'How long it took.' }),
  },
  { $id: 'ExportTest' },
);

const at = '/v0.1/apps/{owner_name}/{app_name}/export_configurations';
const params = Type.Object(AppPath);
const one = {
  path: `${at}/{export_configuration_id}`,
  params: Type.Object({ ...AppPath, export_configuration_id: Type.String({ minLength: 1, maxLength: 100 }) }),
} as const;
const reading = {
  method: 'GET',
  tag: 'exports',
  access: 'app:viewer',
  effect: 'read',
  errors: [400, 403, 404],
} as const;
const changing = { ...reading, access: 'app:developer', effect: 'change' } as const;
const found = json(ExportConfiguration, { description: 'The configuration.' });

export const ExportConfigurations_List = endpoint({
  ...reading,
  id: 'ExportConfigurations_List',
  path: at,
  summary: 'Lists where the data of an app is exported to, and how far that is',
  params,
  response: json(
    Type.Object({
      values: Type.Array(ExportConfiguration),
      total: Type.Optional(Type.Integer()),
      nextLink: Type.Optional(Type.String()),
    }),
    { description: 'All of them, oldest first.' },
  ),
});

export const ExportConfigurations_Create = endpoint({
  ...changing,
  id: 'ExportConfigurations_Create',
  method: 'POST',
  path: at,
  summary: 'Exports what devices send to a place of yours, from now on',
  description:
    'A small file is written there first and deleted again; if that fails, nothing is kept. What is secret is sealed and never shown again.',
  params,
  request: json(NewExportConfiguration),
  response: json(ExportConfiguration, {
    status: 202,
    description: 'The configuration; its first run is about to begin.',
  }),
  errors: [400, 403, 404, 409],
});

export const ExportConfigurations_Get = endpoint({
  ...reading,
  ...one,
  id: 'ExportConfigurations_Get',
  summary: 'Returns an export configuration, without its secrets',
  response: found,
});

export const ExportConfigurations_PartialUpdate = endpoint({
  ...changing,
  ...one,
  id: 'ExportConfigurations_PartialUpdate',
  method: 'PATCH',
  summary: 'Changes an export configuration: what is exported, or a new key',
  description:
    'What is absent stays. The place is tried as when it was created; with a new key an Invalid one goes on.',
  request: json(ExportConfigurationChange),
  response: found,
  errors: [400, 403, 404, 409],
});

export const ExportConfigurations_Delete = endpoint({
  ...changing,
  ...one,
  id: 'ExportConfigurations_Delete',
  method: 'DELETE',
  summary: 'Deletes an export configuration; what was written stays',
  response: empty({ status: 200, description: 'It is gone.' }),
});

export const ExportConfigurations_Disable = endpoint({
  ...changing,
  id: 'ExportConfigurations_Disable',
  method: 'POST',
  path: `${at}/{export_configuration_id}/disable`,
  params: one.params,
  summary: 'Stops an export: what comes from now on is not written',
  request: json(Type.Object({})),
  response: empty({ status: 200, description: 'It is disabled.' }),
});

export const ExportConfigurations_Enable = endpoint({
  ...changing,
  id: 'ExportConfigurations_Enable',
  method: 'POST',
  path: `${at}/{export_configuration_id}/enable`,
  params: one.params,
  summary: 'Goes on with an export that was stopped',
  description:
    'From now on; with `backfill`, what came meanwhile is exported too. One that failed and whose data still waits goes on where it was.',
  request: json(
    Type.Object({
      backfill: Type.Optional(Type.Boolean({ description: 'Also what came meanwhile, as far as it is kept.' })),
    }),
  ),
  response: empty({ status: 200, description: 'It is enabled.' }),
  errors: [400, 403, 404, 409],
});

export const ExportConfigurations_Test = endpoint({
  ...changing,
  id: 'ExportConfigurations_Test',
  method: 'POST',
  path: `${at}/{export_configuration_id}/test`,
  params: one.params,
  summary: 'Writes something small to where an export goes, and tells whether that worked',
  description:
    'What an export does, with the key that is kept: a file `mooring-check-…` that is deleted again, a row that is taken back, a post of the type `export.check`, or an event `MooringExportCheck` of Application Insights. The state of the export stays as it is, also if it is stopped.',
  request: json(Type.Object({})),
  response: json(ExportTest, { description: 'Whether it worked, and if not, why.' }),
});
