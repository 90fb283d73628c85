import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** The types of App Center. The last two require a cloud that provides storage to its customers. */
export const azureExportTypes = [
  'blob_storage_connection_string',
  'application_insights_instrumentation_key',
  'blob_storage_linked_subscription',
  'application_insights_linked_subscription',
] as const;
/** Types that App Center does not have. */
export const ownExportTypes = ['s3', 'file', 'http', 'postgres'] as const;
export const exportTypes = [...azureExportTypes, ...ownExportTypes] as const;
export const exportEntities = ['crashes', 'errors', 'attachments', 'no_logs'] as const;
export const exportFormats = ['minutes', 'json_lines', 'parquet'] as const;

const Entities = Type.Array(Type.Enum([...exportEntities]), {
  maxItems: 4,
  description: 'Sessions and events are exported unless `no_logs` is included. The other values add data.',
});
const Line = Type.String({ minLength: 1, maxLength: 1024, pattern: '^[^\\p{Cc}]+$' });
const Resource = Type.String({ maxLength: 256 });
const PathFormat = Type.Enum(['WithoutAppId', 'WithAppId'], {
  description: 'Whether paths start with the ID of the app. Always the case for `file`.',
});
const Format = Type.Enum([...exportFormats], {
  description:
    '`minutes`: a file per minute with a JSON array of records whose values are strings. `json_lines`: the same records, a file per hour with one record per line, compressed with gzip. `parquet`: the same records, a file per hour as Parquet with a string column for each field.',
});

const shared = {
  export_entities: Type.Optional(Entities),
  resource_name: Type.Optional(Resource),
  resource_group: Type.Optional(Resource),
  backfill: Type.Optional(
    Type.Boolean({ description: 'Also export existing data that is still stored (default: true).' }),
  ),
};

/** Fields that are not secret and are returned. */
const open = {
  blob_path_format_kind: Type.Optional(PathFormat),
  format: Type.Optional(Format),
  folder: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*$',
      description: "For `file`: a subfolder of the app's folder in MOORING_EXPORT_FOLDER.",
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
        'For `postgres`: the table to insert into, with an optional schema (default: `mooring_logs`). Created if it does not exist.',
    }),
  ),
};

const secrets = {
  connection_string: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        "For a storage account: AccountName, AccountKey and the endpoint. For `postgres`: postgres://user:password@host:5432/database, with ?sslmode= if its certificate can't be verified.",
    }),
  ),
  instrumentation_key: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'An instrumentation key, or a connection string of Application Insights.',
    }),
  ),
  subscription_id: Type.Optional(Line),
  secret_access_key: Type.Optional(Type.String({ maxLength: 256, pattern: '^[!-~]+$' })),
  url: Type.Optional(
    Type.String({ maxLength: 2048, description: 'For `http`: the URL that receives records as POST requests.' }),
  ),
  signing_secret: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'For `http`: the secret that signs requests by Standard Webhooks; `whsec_` and 24 to 64 bytes in base64.',
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
    state_info: Type.Optional(Type.String({ description: 'Why the export is Invalid or delayed.' })),
    resource_group: Type.Optional(Type.String()),
    resource_name: Type.Optional(Type.String()),
    export_configuration: Type.Optional(
      Type.Object(
        {
          type: Type.Enum([...exportTypes]),
          ...shared,
          ...open,
          host: Type.Optional(Type.String({ description: 'The host of the destination.' })),
        },
        { description: 'The configuration without its secrets.' },
      ),
    ),
    last_error: Type.Optional(Type.String()),
    last_error_time: Type.Optional(Time),
    failing_since: Type.Optional(Time),
    waiting_batches: Type.Integer({ description: 'The number of batches of logs that are not exported yet.' }),
    waiting_parts: Type.Integer({
      description:
        'The number of days, or parts of days, of the backfill that are not exported yet, plus one for crashes, errors and attachments.',
    }),
    waiting_since: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the oldest of this data arrived.' }),
    ),
  },
  { $id: 'ExportConfiguration' },
);

export const ExportTest = Type.Object(
  {
    succeeded: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Why the test failed.' })),
    tested_at: Time,
    milliseconds: Type.Integer({ description: 'The duration of the test.' }),
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
  summary: 'List the export configurations of an app, with their progress',
  params,
  response: json(
    Type.Object({
      values: Type.Array(ExportConfiguration),
      total: Type.Optional(Type.Integer()),
      nextLink: Type.Optional(Type.String()),
    }),
    { description: 'The configurations, oldest first.' },
  ),
});

export const ExportConfigurations_Create = endpoint({
  ...changing,
  id: 'ExportConfigurations_Create',
  method: 'POST',
  path: at,
  summary: 'Create an export configuration: data of the app is exported continuously from now on',
  description:
    'The server first writes a small test file and deletes it. If that fails, the configuration is not created. Secrets are stored encrypted and never shown again.',
  params,
  request: json(NewExportConfiguration),
  response: json(ExportConfiguration, {
    status: 202,
    description: 'The configuration. Its first run starts soon.',
  }),
  errors: [400, 403, 404, 409],
});

export const ExportConfigurations_Get = endpoint({
  ...reading,
  ...one,
  id: 'ExportConfigurations_Get',
  summary: 'Get an export configuration, without its secrets',
  response: found,
});

export const ExportConfigurations_PartialUpdate = endpoint({
  ...changing,
  ...one,
  id: 'ExportConfigurations_PartialUpdate',
  method: 'PATCH',
  summary: 'Update an export configuration: its data or its credentials',
  description:
    'Omitted fields stay unchanged. The destination is tested as on creation. A new credential resumes an Invalid export.',
  request: json(ExportConfigurationChange),
  response: found,
  errors: [400, 403, 404, 409],
});

export const ExportConfigurations_Delete = endpoint({
  ...changing,
  ...one,
  id: 'ExportConfigurations_Delete',
  method: 'DELETE',
  summary: 'Delete an export configuration; exported data stays',
  response: empty({ status: 200, description: 'Deleted.' }),
});

export const ExportConfigurations_Disable = endpoint({
  ...changing,
  id: 'ExportConfigurations_Disable',
  method: 'POST',
  path: `${at}/{export_configuration_id}/disable`,
  params: one.params,
  summary: 'Disable an export: data that arrives from now on is not exported',
  request: json(Type.Object({})),
  response: empty({ status: 200, description: 'The export is disabled.' }),
});

export const ExportConfigurations_Enable = endpoint({
  ...changing,
  id: 'ExportConfigurations_Enable',
  method: 'POST',
  path: `${at}/{export_configuration_id}/enable`,
  params: one.params,
  summary: 'Enable a disabled export',
  description:
    'Resumes with new data; with `backfill`, also exports data that arrived in the meantime. An export that failed and still has pending data resumes where it stopped.',
  request: json(
    Type.Object({
      backfill: Type.Optional(
        Type.Boolean({
          description: 'Also export data that arrived while the export was disabled and is still stored.',
        }),
      ),
    }),
  ),
  response: empty({ status: 200, description: 'The export is enabled.' }),
  errors: [400, 403, 404, 409],
});

export const ExportConfigurations_Test = endpoint({
  ...changing,
  id: 'ExportConfigurations_Test',
  method: 'POST',
  path: `${at}/{export_configuration_id}/test`,
  params: one.params,
  summary: 'Test an export by writing a small record to its destination',
  description:
    'Uses the stored credentials: creates and deletes a file `mooring-check-…`, inserts a row and rolls it back, sends a POST of the type `export.check`, or sends an event `MooringExportCheck` to Application Insights. The state of the export does not change, even if it is disabled.',
  request: json(Type.Object({})),
  response: json(ExportTest, { description: 'The result and, if the test failed, the reason.' }),
});
