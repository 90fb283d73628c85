import type { TSchema } from 'typebox';
import { endpoint, events, json } from '../endpoint/index.ts';
import { LiveQuery } from '../live.ts';
import { Type } from '../type.ts';
import { AppPath, at, GivenName, reading, Time } from './asked.ts';

const text = Type.Optional(Type.String());

const Device = Type.Object(
  {
    sdk_name: Type.String(),
    sdk_version: Type.String(),
    wrapper_sdk_version: text,
    wrapper_sdk_name: text,
    model: text,
    oem_name: text,
    os_name: Type.String(),
    os_version: Type.String(),
    os_build: text,
    os_api_level: Type.Optional(Type.Integer()),
    locale: Type.String(),
    time_zone_offset: Type.Integer({ minimum: -840, maximum: 840 }),
    screen_size: text,
    app_version: Type.String(),
    carrier_name: text,
    carrier_code: text,
    carrier_country: text,
    app_build: Type.String(),
    app_namespace: text,
    live_update_release_label: text,
    live_update_deployment_key: text,
    live_update_package_hash: text,
    wrapper_runtime_version: text,
  },
  { $id: 'LogDevice' },
);

export const flowTypes = [
  'event',
  'page',
  'start_session',
  'error',
  'push_installation',
  'start_service',
  'custom_properties',
  'distribution_start_session',
] as const;
const FlowType = Type.Enum([...flowTypes]);

const common = {
  type: FlowType,
  timestamp: Time,
  install_id: Type.String(),
  device: Device,
};

const FlowLog = Type.Object(
  {
    ...common,
    session_id: text,
    id: text,
    name: text,
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
    services: Type.Optional(Type.Array(Type.String())),
    distribution_group_id: text,
    push_token: text,
  },
  { $id: 'FlowLog' },
);

const GenericLog = Type.Object(
  {
    ...common,
    session_id: text,
    event_id: text,
    event_name: text,
    message_id: text,
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { $id: 'GenericLog' },
);

const Flow = <const S extends TSchema>(log: S) =>
  Type.Object({
    exceeded_max_limit: Type.Boolean({ description: 'More logs came than are shown.' }),
    last_received_log_timestamp: Type.String({ format: 'date-time', description: 'The `start` of the next call.' }),
    logs: Type.Array(log),
  });

/** Logs of all types in one shape. */
export const GenericLogs = Flow(GenericLog);

const query = Type.Object({
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Logs that came after this time, of this UTC day; from its beginning if absent.',
    }),
  ),
});
const params = Type.Object(AppPath);
const description = 'By when they came, oldest first, at most 100.';

export const Analytics_LogFlow = endpoint({
  ...reading,
  id: 'Analytics_LogFlow',
  path: `${at}/log_flow`,
  summary: 'Shows logs that came today',
  description,
  params,
  query,
  response: json(Flow(FlowLog), { description: 'The logs.' }),
});

export const Analytics_GenericLogFlow = endpoint({
  ...reading,
  id: 'Analytics_GenericLogFlow',
  path: `${at}/generic_log_flow`,
  summary: 'Shows logs that came today, all in one shape',
  description,
  params,
  query,
  response: json(GenericLogs, { description: 'The logs.' }),
});

export const analytics_watchLogs = endpoint({
  ...reading,
  id: 'analytics_watchLogs',
  path: `${at}/log_flow/live`,
  summary: 'Shows logs as they come, as server-sent events',
  description:
    'It begins with now, or after the event whose id is sent back in Last-Event-ID, as far as that was today. All that is asked for has to be true of a log.',
  params,
  query: Type.Object({
    ...LiveQuery,
    type: Type.Optional(Type.Union([FlowType, Type.Array(FlowType, { maxItems: flowTypes.length })])),
    name: Type.Optional(GivenName),
    version: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    install_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  }),
  response: events(
    {
      watching: Type.Object({}),
      logs: Type.Object({
        logs: Type.Array(GenericLog),
        is_cut: Type.Boolean({ description: 'More came at once than is shown.' }),
      }),
    },
    { description: 'Logs within a second or two of their coming. It ends with the rights of its reader.' },
  ),
});
