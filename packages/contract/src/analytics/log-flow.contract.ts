import type { TSchema } from 'typebox';
import { endpoint, events, json } from '../endpoint/index.ts';
import { LiveQuery } from '../live.ts';
import { Type } from '../type.ts';
import { AppPath, at, CustomName, reading, Time } from './query-range.ts';

const text = Type.Optional(Type.String());
const described = (description: string) => Type.Optional(Type.String({ description }));

const Device = Type.Object(
  {
    sdk_name: Type.String(),
    sdk_version: Type.String(),
    wrapper_sdk_version: described('The version of the SDK for a framework, such as React Native.'),
    wrapper_sdk_name: described('The name of the SDK for a framework, such as React Native.'),
    model: text,
    oem_name: described('The manufacturer of the device.'),
    os_name: Type.String(),
    os_version: Type.String(),
    os_build: text,
    os_api_level: Type.Optional(Type.Integer({ description: 'The API level of Android.' })),
    locale: Type.String(),
    time_zone_offset: Type.Integer({ minimum: -840, maximum: 840, description: 'In minutes from UTC.' }),
    screen_size: text,
    app_version: Type.String(),
    carrier_name: text,
    carrier_code: described('The code of the mobile network.'),
    carrier_country: described('The country of the mobile network, as a two-letter code.'),
    app_build: Type.String(),
    app_namespace: described('The bundle ID or package name of the app.'),
    live_update_release_label: described('The label of the installed CodePush release.'),
    live_update_deployment_key: described('The key of the CodePush deployment.'),
    live_update_package_hash: described('The hash of the installed CodePush package.'),
    wrapper_runtime_version: described('The version of the runtime of the framework.'),
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
    services: Type.Optional(Type.Array(Type.String(), { description: 'The parts of the SDK that the app started.' })),
    distribution_group_id: text,
    push_token: described('The token that identifies the device for push messages.'),
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
    exceeded_max_limit: Type.Boolean({ description: 'True if more logs arrived than are returned.' }),
    last_received_log_timestamp: Type.String({ format: 'date-time', description: 'The `start` of the next request.' }),
    logs: Type.Array(log),
  });

/** Logs of all types in one format. */
export const GenericLogs = Flow(GenericLog);

const query = Type.Object({
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Only logs that arrived after this time of the current UTC day (default: the start of the day).',
    }),
  ),
});
const params = Type.Object(AppPath);
const description = 'Sorted by time of arrival, oldest first, at most 100.';

export const Analytics_LogFlow = endpoint({
  ...reading,
  id: 'Analytics_LogFlow',
  path: `${at}/log_flow`,
  summary: 'List the logs that arrived today',
  description,
  params,
  query,
  response: json(Flow(FlowLog), { description: 'The logs.' }),
});

export const Analytics_GenericLogFlow = endpoint({
  ...reading,
  id: 'Analytics_GenericLogFlow',
  path: `${at}/generic_log_flow`,
  summary: 'List the logs that arrived today, in one format',
  description,
  params,
  query,
  response: json(GenericLogs, { description: 'The logs.' }),
});

export const analytics_watchLogs = endpoint({
  ...reading,
  id: 'analytics_watchLogs',
  path: `${at}/log_flow/live`,
  summary: 'Stream logs as they arrive, as server-sent events',
  description:
    'Starts now, or after the event of the current UTC day whose ID is in Last-Event-ID. A log must match all filters.',
  params,
  query: Type.Object({
    ...LiveQuery,
    type: Type.Optional(Type.Union([FlowType, Type.Array(FlowType, { maxItems: flowTypes.length })])),
    name: Type.Optional(CustomName),
    version: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    install_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  }),
  response: events(
    {
      watching: Type.Object({}),
      logs: Type.Object({
        logs: Type.Array(GenericLog),
        is_cut: Type.Boolean({ description: 'True if more logs arrived than are included.' }),
      }),
    },
    { description: 'Logs within a second or two of their arrival. The stream ends if the caller loses access.' },
  ),
});
