import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { Type } from '../type.ts';

const Count = Type.Integer({ minimum: 0 });

const counts = {
  batches: Type.Integer({ minimum: 0, description: 'Requests with at least one stored log.' }),
  logs: Count,
  bytes: Type.Integer({ minimum: 0, description: 'Bytes of uncompressed JSON.' }),
  invalid: Type.Integer({ minimum: 0, description: 'Invalid logs.' }),
  dropped: Type.Integer({ minimum: 0, description: 'Logs that were too old or too far in the future.' }),
  blocked: Type.Integer({ minimum: 0, description: 'Logs of blocked installs, or of the app while it is blocked.' }),
  refused: Type.Integer({ minimum: 0, description: 'Requests that were not JSON.' }),
  limited: Type.Integer({
    minimum: 0,
    description: 'Requests rejected with 503 because the app had reached its hourly limit. SDKs send them again later.',
  }),
};

export const IngestionMinute = Type.Object({ at: Time, ...counts }, { $id: 'IngestionMinute' });

export const invalidReasons = [
  'not_an_object',
  'unknown_type',
  'bad_timestamp',
  'no_device',
  'too_deep',
  'too_large',
  'too_many_logs',
  'no_install_id',
  'no_logs',
] as const;

export const InvalidLog = Type.Object(
  {
    received_at: Time,
    install_id: Type.String(),
    reason: Type.Enum([...invalidReasons]),
    log: Type.String({ description: 'The beginning of the log, as JSON.' }),
  },
  { $id: 'InvalidLog' },
);

export const Ingestion = Type.Object(
  {
    address: Type.String({ description: 'The log URL to configure in SDKs.' }),
    is_blocked: Type.Boolean({ description: 'True if all logs of the app are dropped.' }),
    hour_limit_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The limit of JSON bytes that devices of the app may send within 60 minutes (MOORING_INGEST_MB_PER_HOUR). Absent: no limit.',
      }),
    ),
    last_received_at: Type.Optional(Time),
    first_device: Type.Optional(
      Type.Object(
        {
          model: Type.String({ description: 'Empty if the server did not record it.' }),
          os: Type.String(),
          received_at: Time,
        },
        {
          description: 'The first device that sent data. Test logs of the console and the command line do not count.',
        },
      ),
    ),
    hour: Type.Object(counts, { description: 'The last 60 minutes.' }),
    day: Type.Object(counts, { description: 'The last 24 hours.' }),
    minutes: Type.Array(IngestionMinute, {
      description: 'Minutes of the last hour with data, oldest first.',
    }),
    senders: Type.Array(
      Type.Object({
        sdk: Type.String(),
        sdk_version: Type.String(),
        app_version: Type.String(),
        logs: Count,
        last_at: Time,
      }),
      { description: 'SDKs and versions that sent data, latest first, at most 100.' },
    ),
    consumers: Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Integer({
          minimum: 0,
          description: 'The number of batches that the consumer has not processed yet.',
        }),
        waiting_since: Type.Optional(Time),
      }),
      { description: 'The consumers of logs in this server, and their backlog.' },
    ),
    items: Type.Array(
      Type.Object({
        item: Type.String({
          description: 'The type of items in envelopes of Sentry SDKs; for `discarded` their category.',
        }),
        outcome: Type.Enum(['stored', 'dropped', 'discarded'], {
          description:
            '`dropped`: by this server. `discarded`: by the SDK, which reported it; those items were never sent.',
        }),
        reason: Type.String({ description: 'Why they were dropped or discarded. Empty for stored items.' }),
        count: Count,
      }),
      { description: 'Items of envelopes of Sentry SDKs in the last 24 hours, and what became of them.' },
    ),
    invalid_logs: Type.Array(InvalidLog, { description: 'The newest invalid logs, at most 20.' }),
  },
  { $id: 'Ingestion' },
);

export const ingestion_get = endpoint({
  id: 'ingestion_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/ingestion',
  tag: 'ingestion',
  summary: 'Get the ingestion status of an app: received, invalid and dropped logs',
  description: 'Shows why data of an app may be missing.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Ingestion, { description: 'The ingestion status of the last day.' }),
  errors: [404],
});

export const ingestion_watch = endpoint({
  id: 'ingestion_watch',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/ingestion/live',
  tag: 'ingestion',
  summary: 'Watch for the first data of a device, as server-sent events',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object(LiveQuery),
  response: liveEvents(['first_device']),
  errors: [404],
});
