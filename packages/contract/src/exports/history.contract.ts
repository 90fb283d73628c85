import { bytes, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';

/** The longest retention of telemetry. */
export const HISTORY_OLDEST_DAYS = 3650;
export const HISTORY_MAX_BYTES = 16 * 1024 * 1024;
/** The records in files of exports. */
export const historyEntities = ['logs', 'crashes', 'errors'] as const;

const home = {
  path: '/v0.1/apps/{owner_name}/{app_name}/history',
  tag: 'exports',
  params: Type.Object(AppPath),
  errors: [400, 403, 404],
} as const;

export const history_import = endpoint({
  ...home,
  id: 'history_import',
  method: 'POST',
  summary: 'Import historical data in the format of exports',
  description: `An array of records with the field names of an exported file: \`MessageType\`, \`InstallId\`, \`Timestamp\` and so on; for crashes and errors, records with their whole \`Log\`. Each record counts on its own day, up to ${HISTORY_OLDEST_DAYS} days ago, and is processed like new data. Imports send no notifications and are not exported again. Repeating a request has no effect, and a log in several requests counts once.`,
  access: 'app:manager',
  effect: 'change',
  request: bytes({ types: ['application/json'], maxBytes: HISTORY_MAX_BYTES, maxInflated: HISTORY_MAX_BYTES }),
  response: json(
    Type.Object({
      accepted: Type.Integer({
        minimum: 0,
        description: 'The records that are stored. They are counted within seconds.',
      }),
      invalid: Type.Integer({
        minimum: 0,
        description: 'The records that are not valid: see the ingestion page of the app.',
      }),
      dropped: Type.Integer({ minimum: 0, description: 'The records that are too old or too far in the future.' }),
      is_repeated: Type.Boolean({
        description: 'True if the same request was imported before; it had no effect now.',
      }),
    }),
    { description: 'The result of the import.' },
  ),
});

export const history_read = endpoint({
  ...home,
  id: 'history_read',
  method: 'GET',
  summary: 'Get the stored data of a day in the format of exports',
  description:
    'Returns logs of sessions and events that are stored for analytics, or reports of crashes or errors with their whole log. Another server can import the response.',
  access: 'app:viewer',
  effect: 'read',
  query: Type.Object({
    entity: Type.Enum([...historyEntities]),
    day: Type.String({ format: 'date', description: 'The day in UTC, by the time of occurrence.' }),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'The `next_skip` of the previous response.' }),
    ),
  }),
  response: json(
    Type.Object({
      records: Type.Array(Type.Record(Type.String(), Type.String())),
      next_skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Absent on the last page.' })),
    }),
    { description: 'The records, oldest first.' },
  ),
});
