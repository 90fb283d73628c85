import { bytes, endpoint, json, text } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { sentrySurface } from './sentry.surface.ts';

const MIB = 1024 * 1024;

/** Compressed or not. SDKs limit attachments to 20 MiB, Cocoa to 200 MiB. */
export const ENVELOPE_MAX_BYTES = 20 * MIB;
/** Items are read as they are inflated, and only those that are stored are held in memory. */
export const ENVELOPE_MAX_INFLATED = 100 * MIB;
/** Items beyond this number are dropped. An envelope of an SDK has fewer than ten. */
export const ENVELOPE_MAX_ITEMS = 1000;
/** Maximum size of one event, in JSON. */
export const SENTRY_EVENT_MAX_BYTES = MIB;
/** Session updates of an envelope, and aggregates of one item. */
export const ENVELOPE_MAX_SESSIONS = 100;
/** Sessions that the aggregates of one envelope may count. */
export const ENVELOPE_MAX_COUNTED_SESSIONS = 10_000;

const SentEnvelope = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The ID of the event, 32 hexadecimal digits. Absent without one.' })),
  },
  { $id: 'SentEnvelope' },
);

const common = {
  surface: sentrySurface,
  tag: 'sentry',
  access: 'sdkKey',
  effect: 'ingest',
  method: 'POST',
  readableFrom: 'senders',
  errors: [429],
  params: Type.Object({
    project_id: Type.String({ minLength: 1, maxLength: 100, description: 'The number at the end of the DSN.' }),
  }),
  query: Type.Object({
    sentry_key: Type.Optional(Type.String({ description: 'The key of the DSN, if no header has it.' })),
    sentry_version: Type.Optional(Type.String({ description: 'SDKs send 7.' })),
    sentry_client: Type.Optional(Type.String({ description: 'The name and version of the SDK.' })),
  }),
  headers: Type.Object({
    'x-sentry-auth': Type.Optional(
      Type.String({
        description: '`Sentry sentry_version=7, sentry_key=…, sentry_client=…`. Authorization is accepted, too.',
      }),
    ),
    'sentry-trace': Type.Optional(Type.String({ description: 'Ignored.' })),
    baggage: Type.Optional(Type.String({ description: 'Ignored.' })),
  }),
} as const;

const encodings = ['gzip', 'deflate', 'br', 'zstd'] as const;
const response = json(SentEnvelope, { description: 'Everything that was accepted is stored on disk.' });
const answers =
  '200 means that everything accepted is stored on disk. SDKs drop their data on any error, and pause after 429. 403 means that the project or the key is unknown, or the key is disabled.';

export const envelopes_send = endpoint({
  ...common,
  id: 'envelopes_send',
  path: '/api/{project_id}/envelope/',
  summary: 'Ingest an envelope of a Sentry SDK inside an app',
  description: `A header line, then items: a header line and a payload each. Events become crashes or handled errors, \`session\` and \`sessions\` count sessions, and attachments are stored with their event, and \`log\` items become events. Other items are counted and dropped; the ingestion page of the app lists them. An event or session that is sent again counts once. The key must be in a header, in the query or in the \`dsn\` of the envelope; if it is in several, they must agree. ${answers}`,
  request: bytes({
    types: ['application/x-sentry-envelope', 'text/plain'],
    isAnyType: true,
    encodings,
    maxBytes: ENVELOPE_MAX_BYTES,
    maxInflated: ENVELOPE_MAX_INFLATED,
  }),
  response,
});

export const sentryEvents_store = endpoint({
  ...common,
  id: 'sentryEvents_store',
  path: '/api/{project_id}/store/',
  summary: 'Ingest one event of an old Sentry SDK inside an app',
  description: `The body is one event, as in an envelope. ${answers}`,
  request: bytes({
    types: ['application/json', 'text/plain'],
    isAnyType: true,
    encodings,
    maxBytes: SENTRY_EVENT_MAX_BYTES,
    maxInflated: SENTRY_EVENT_MAX_BYTES,
  }),
  response,
});

/** Uncompressed. The minidump itself has the limit of attachments, 7 MiB. */
export const MINIDUMP_FORM_MAX_INFLATED = 32 * MIB;

export const minidumps_send = endpoint({
  ...common,
  id: 'minidumps_send',
  path: '/api/{project_id}/minidump/',
  summary: 'Ingest a crash report of Crashpad, Breakpad or Electron',
  description: `A form with the file \`upload_file_minidump\` becomes a crash whose stack is read from the minidump. The field \`sentry\` has an event as JSON, \`sentry[release]\` one of its fields; files that Crashpad adds, \`__sentry-event\` and its breadcrumbs, are merged into the event. Other files are attachments. ${answers}`,
  request: bytes({
    types: ['multipart/form-data'],
    isAnyType: true,
    encodings,
    maxBytes: ENVELOPE_MAX_BYTES,
    maxInflated: MINIDUMP_FORM_MAX_INFLATED,
  }),
  response: text({ type: 'text/plain', description: 'The ID of the crash report.' }),
});
