import { bytes, empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { invalidReasons } from './ingestion.contract.ts';
import { ingestionFamily } from './ingestion.family.ts';

/** What SDKs send, by name. What is in them is known to whoever takes them. */
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

/** An attachment of a crash is up to 7 MiB, and a third more in JSON. */
export const LOGS_MAX_BYTES = 16 * 1024 * 1024;

/** SDKs send 50 at most. The logs beyond this are set aside and counted, and the answer stays 200: an SDK would send them again. */
export const LOGS_MAX_PER_REQUEST = 1000;
/** Keys of one object in a log; SDKs send 20 properties at most. */
export const LOG_MAX_KEYS = 1000;
/** Values in one log, on all levels: a crash with 200 threads of 40 frames has some 40,000. */
export const LOG_MAX_VALUES = 50_000;

/** Devices keep logs for a while, and their clocks are not always right. */
export const LOGS_OLDEST_DAYS = 25;
export const LOGS_AHEAD_DAYS = 3;

const Count = Type.Integer({ minimum: 0 });

export const SentLogs = Type.Object(
  {
    accepted: Count,
    invalid: Type.Integer({
      minimum: 0,
      description: 'Not understood, and set aside with the reason: see the ingestion of the app.',
    }),
    invalid_reasons: Type.Optional(
      Type.Array(Type.Enum([...invalidReasons]), {
        description: `Why logs are invalid, each reason once; absent if none is. \`not_an_object\`: a log is not a JSON object. \`unknown_type\`: its \`type\` is missing or not one that SDKs send. \`bad_timestamp\`: its \`timestamp\` is not an ISO 8601 text. \`no_device\`: it has no \`device\` object. \`too_deep\`: it has too many levels. \`too_large\`: it has more than ${LOG_MAX_VALUES} values or ${LOG_MAX_KEYS} keys in one object. \`too_many_logs\`: the request has more than ${LOGS_MAX_PER_REQUEST} logs. \`no_install_id\`: the header Install-ID is missing or not a UUID. \`no_logs\`: the body has no array \`logs\`.`,
      }),
    ),
    dropped: Type.Integer({
      minimum: 0,
      description: `More than ${LOGS_OLDEST_DAYS} days old or ${LOGS_AHEAD_DAYS} days ahead, or blocked.`,
    }),
  },
  { $id: 'SentLogs' },
);

const common = {
  path: '/logs',
  family: ingestionFamily,
  tag: 'ingestion',
  access: 'appSecret',
  readableFrom: 'senders',
} as const;
const secret = { 'app-secret': Type.String({ description: 'Of the app.' }) };

export const logs_send = endpoint({
  ...common,
  id: 'logs_send',
  method: 'POST',
  summary: 'Takes what an SDK inside an app sends',
  description: `An object with the array logs; each log has a type, a timestamp and a device. 200 means that all that is accepted is on the disk. A log that is not understood never spoils the others. Of one request the first ${LOGS_MAX_PER_REQUEST} logs are kept; those beyond, and a log with more than ${LOG_MAX_VALUES} values or ${LOG_MAX_KEYS} keys in one object, count as invalid. Whatever is sent again is counted once. 503 says in x-ms-retry-after-ms when to try again. 403 is for a secret that no app has: SDKs then throw away what they have.`,
  effect: 'ingest',
  query: Type.Object({
    'api-version': Type.Optional(Type.String({ description: 'SDKs send 1.0.0; the name may be in any case.' })),
  }),
  headers: Type.Object({
    ...secret,
    'install-id': Type.Optional(
      Type.String({ description: 'A UUID that the SDK made for this installation; without one no log is understood.' }),
    ),
  }),
  request: bytes({
    types: ['application/json', 'text/plain'],
    maxBytes: LOGS_MAX_BYTES,
    maxInflated: LOGS_MAX_BYTES,
  }),
  response: json(SentLogs, { description: 'What became of the logs.' }),
});

export const logs_check = endpoint({
  ...common,
  id: 'logs_check',
  method: 'HEAD',
  summary: 'Tells whether logs with this secret would be taken, without sending any',
  description: 'For whoever sets up an app, a page or a monitor: nothing is kept or counted.',
  effect: 'read',
  headers: Type.Object(secret),
  response: empty({ description: 'An app has this secret.' }),
});
