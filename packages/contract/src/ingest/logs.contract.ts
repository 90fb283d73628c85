import { bytes, empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { invalidReasons } from './ingestion.contract.ts';
import { ingestionSurface } from './ingestion.surface.ts';

/** The log types of SDKs. The consumer of a type knows its fields. */
export const logTypes = [
  'startService',
  'startSession',
  'page',
  'event',
  'managedError',
  'appleError',
  'handledError',
  'errorAttachment',
  'distributionStartSession',
  'customProperties',
  'pushInstallation',
] as const;

/** An attachment of a crash has up to 7 MiB, and a third more in JSON. */
export const LOGS_MAX_BYTES = 16 * 1024 * 1024;

/**
 * SDKs send at most 50. Logs beyond this limit count as invalid, but the status stays 200: otherwise an SDK would
 * resend them.
 */
export const LOGS_MAX_PER_REQUEST = 1000;
/** Keys of one object in a log. SDKs send at most 20 properties. */
export const LOG_MAX_KEYS = 1000;
/** Values in one log, on all levels. A crash with 200 threads of 40 frames has about 40,000. */
export const LOG_MAX_VALUES = 50_000;

/** Devices store logs while they are offline, and their clocks can be wrong. */
export const LOGS_OLDEST_DAYS = 25;
export const LOGS_AHEAD_DAYS = 3;

const Count = Type.Integer({ minimum: 0 });

export const SentLogs = Type.Object(
  {
    accepted: Count,
    invalid: Type.Integer({
      minimum: 0,
      description: 'The number of invalid logs. The ingestion page of the app shows them with the reason.',
    }),
    invalid_reasons: Type.Optional(
      Type.Array(Type.Enum([...invalidReasons]), {
        description: `Why logs are invalid, each reason once. Absent if all are valid. \`not_an_object\`: a log is not a JSON object. \`unknown_type\`: its \`type\` is missing or not one that SDKs send. \`bad_timestamp\`: its \`timestamp\` is not an ISO 8601 string. \`no_device\`: it has no \`device\` object. \`too_deep\`: it has too many levels. \`too_large\`: it has more than ${LOG_MAX_VALUES} values or ${LOG_MAX_KEYS} keys in one object. \`too_many_logs\`: the request has more than ${LOGS_MAX_PER_REQUEST} logs. \`no_install_id\`: the header Install-ID is missing or not a UUID. \`no_logs\`: the body has no array \`logs\`.`,
      }),
    ),
    dropped: Type.Integer({
      minimum: 0,
      description: `Logs that are more than ${LOGS_OLDEST_DAYS} days old or ${LOGS_AHEAD_DAYS} days in the future, or blocked.`,
    }),
  },
  { $id: 'SentLogs' },
);

const common = {
  path: '/logs',
  surface: ingestionSurface,
  tag: 'ingestion',
  access: 'appSecret',
  readableFrom: 'senders',
} as const;
const secret = { 'app-secret': Type.String({ description: 'The secret of the app.' }) };

export const logs_send = endpoint({
  ...common,
  id: 'logs_send',
  method: 'POST',
  summary: 'Ingest logs of an SDK inside an app',
  description: `The body is an object with the array \`logs\`; each log has a type, a timestamp and a device. 200 means that all accepted logs are stored on disk. An invalid log does not affect the others. The first ${LOGS_MAX_PER_REQUEST} logs of a request are accepted; logs beyond that, and logs with more than ${LOG_MAX_VALUES} values or ${LOG_MAX_KEYS} keys in one object, count as invalid. Resent logs count once. 503 has the retry delay in x-ms-retry-after-ms. 403 means that no app has this secret; SDKs then drop their data.`,
  effect: 'ingest',
  query: Type.Object({
    'api-version': Type.Optional(Type.String({ description: 'SDKs send 1.0.0. The name is case-insensitive.' })),
  }),
  headers: Type.Object({
    ...secret,
    'install-id': Type.Optional(
      Type.String({
        description: 'A UUID that the SDK created for this installation. Without it, all logs are invalid.',
      }),
    ),
  }),
  request: bytes({
    types: ['application/json', 'text/plain'],
    maxBytes: LOGS_MAX_BYTES,
    maxInflated: LOGS_MAX_BYTES,
  }),
  response: json(SentLogs, { description: 'The number of accepted, invalid and dropped logs.' }),
});

export const logs_check = endpoint({
  ...common,
  id: 'logs_check',
  method: 'HEAD',
  summary: 'Check whether logs with this app secret would be accepted',
  description: 'For setting up an app, a page or a monitor. Stores and counts nothing.',
  effect: 'read',
  headers: Type.Object(secret),
  response: empty({ description: 'An app has this secret, so its logs are accepted.' }),
});
