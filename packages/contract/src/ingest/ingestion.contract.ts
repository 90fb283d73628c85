import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

const Count = Type.Integer({ minimum: 0 });

const counts = {
  batches: Type.Integer({ minimum: 0, description: 'Requests of which something was kept.' }),
  logs: Count,
  bytes: Type.Integer({ minimum: 0, description: 'Of JSON, once inflated.' }),
  invalid: Type.Integer({ minimum: 0, description: 'Logs that were not understood.' }),
  dropped: Type.Integer({ minimum: 0, description: 'Logs that were too old or too far ahead.' }),
  blocked: Type.Integer({ minimum: 0, description: 'Logs of blocked installs, or of the app while it is blocked.' }),
  refused: Type.Integer({ minimum: 0, description: 'Requests that were no JSON.' }),
  limited: Type.Integer({
    minimum: 0,
    description: 'Requests answered with 503 because the app had reached its hourly limit; SDKs send them again later.',
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
    log: Type.String({ description: 'The beginning of it, as JSON.' }),
  },
  { $id: 'InvalidLog' },
);

export const Ingestion = Type.Object(
  {
    address: Type.String({ description: 'What SDKs are told as their log address.' }),
    is_blocked: Type.Boolean({ description: 'All logs of the app are dropped.' }),
    hour_limit_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Bytes of JSON that the devices of the app may send within sixty minutes (MOORING_INGEST_MB_PER_HOUR). Absent: no limit.',
      }),
    ),
    last_received_at: Type.Optional(Time),
    hour: Type.Object(counts, { description: 'The last sixty minutes.' }),
    day: Type.Object(counts, { description: 'The last 24 hours.' }),
    minutes: Type.Array(IngestionMinute, {
      description: 'Those of the last hour in which something came, oldest first.',
    }),
    senders: Type.Array(
      Type.Object({
        sdk: Type.String(),
        sdk_version: Type.String(),
        app_version: Type.String(),
        logs: Count,
        last_at: Time,
      }),
      { description: 'From where something came, the latest first; at most 100.' },
    ),
    consumers: Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Integer({ minimum: 0, description: 'Batches that it has not done with.' }),
        waiting_since: Type.Optional(Time),
      }),
      { description: 'The parts of this server that take logs, and how far they are behind.' },
    ),
    invalid_logs: Type.Array(InvalidLog, { description: 'The newest logs that were not understood, at most 20.' }),
  },
  { $id: 'Ingestion' },
);

export const ingestion_get = endpoint({
  id: 'ingestion_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/ingestion',
  tag: 'ingestion',
  summary: 'Shows what comes from the devices of an app, and what became of it',
  description: 'For whoever wonders why they see nothing.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Ingestion, { description: 'What came in the last day.' }),
  errors: [404],
});
