import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import {
  AppPath,
  at,
  Count,
  Counts,
  CustomName,
  EventNames,
  EventPath,
  numbered,
  Range,
  RangeQuery,
  Ratios,
  reading,
  Top,
  Versions,
} from './query-range.ts';

const params = Type.Object(EventPath);

export const Analytics_Events = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_Events',
  path: `${at}/events`,
  summary: 'List events with their counts',
  description: '`total_devices` counts all active devices, with or without events.',
  params: Type.Object(AppPath),
  query: Type.Object({
    ...Range,
    ...Versions,
    ...EventNames,
    ...Top,
    $skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'The number of events to skip.' }),
    ),
    $inlinecount: Type.Optional(
      Type.Enum(['allpages', 'none'], { description: '`allpages` adds `total`, the number of event names.' }),
    ),
    $orderby: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'A field of the response, with `asc` or `desc` (default `count desc`). Ties are sorted by name.',
      }),
    ),
  }),
  response: json(
    Type.Object({
      events: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          device_count: Count,
          previous_device_count: Count,
          count: Count,
          previous_count: Count,
          count_per_device: Type.Number(),
          count_per_session: Type.Number({ description: 'Per session that contains the event.' }),
        }),
      ),
      total: Type.Optional(Count),
      total_devices: Count,
    }),
    { description: 'The events.' },
  ),
});

const ofEvent = { ...reading, ...numbered, params } as const;

export const Analytics_EventCount = endpoint({
  ...ofEvent,
  id: 'Analytics_EventCount',
  path: `${at}/events/{event_name}/event_count`,
  summary: 'Count an event by day',
  query: RangeQuery,
  response: json(Type.Object({ total_count: Count, previous_total_count: Count, count: Counts }), {
    description: 'The counts.',
  }),
});

export const Analytics_EventDeviceCount = endpoint({
  ...ofEvent,
  id: 'Analytics_EventDeviceCount',
  path: `${at}/events/{event_name}/device_count`,
  summary: 'Count the devices that sent an event, by day',
  query: RangeQuery,
  response: json(
    Type.Object({
      total_devices: Count,
      total_devices_with_event: Count,
      previous_total_devices_with_event: Count,
      devices_count: Counts,
    }),
    { description: 'The counts.' },
  ),
});

export const Analytics_EventPerDeviceCount = endpoint({
  ...ofEvent,
  id: 'Analytics_EventPerDeviceCount',
  path: `${at}/events/{event_name}/count_per_device`,
  summary: 'Count how often an event occurred per device that sent it, by day',
  query: RangeQuery,
  response: json(
    Type.Object({
      avg_count_per_device: Type.Number(),
      previous_avg_count_per_device: Type.Number(),
      count_per_device: Ratios,
    }),
    { description: 'The ratios. The averages cover the whole range.' },
  ),
});

export const Analytics_EventPerSessionCount = endpoint({
  ...ofEvent,
  id: 'Analytics_EventPerSessionCount',
  path: `${at}/events/{event_name}/count_per_session`,
  summary: 'Count how often an event occurred per session that contains it, by day',
  query: RangeQuery,
  response: json(
    Type.Object({
      avg_count_per_session: Type.Number(),
      previous_avg_count_per_session: Type.Number(),
      count_per_session: Ratios,
    }),
    { description: 'The ratios. The averages cover the whole range.' },
  ),
});

export const Analytics_EventProperties = endpoint({
  ...ofEvent,
  id: 'Analytics_EventProperties',
  path: `${at}/events/{event_name}/properties`,
  summary: 'List the properties of an event that are stored',
  response: json(Type.Object({ event_properties: Type.Array(Type.String()) }), {
    description: 'The names of the properties.',
  }),
});

export const Analytics_EventPropertyCounts = endpoint({
  ...ofEvent,
  id: 'Analytics_EventPropertyCounts',
  path: `${at}/events/{event_name}/properties/{event_property_name}/counts`,
  summary: 'Count an event by the value of a property, highest count first',
  params: Type.Object({ ...EventPath, event_property_name: CustomName }),
  query: Type.Object({
    ...Range,
    ...Versions,
    $top: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2000,
        description: 'The maximum number of values (default 10). 0 returns all.',
      }),
    ),
  }),
  response: json(
    Type.Object({
      total: Count,
      values: Type.Array(Type.Object({ name: Type.String(), count: Count, previous_count: Count })),
    }),
    { description: 'The values. `total` includes values that are not returned.' },
  ),
});

const deleting = {
  ...ofEvent,
  method: 'DELETE',
  access: 'app:manager',
  effect: 'change',
  response: empty({ status: 200, description: 'Deleted.' }),
} as const;

export const Analytics_EventsDelete = endpoint({
  ...deleting,
  id: 'Analytics_EventsDelete',
  path: `${at}/events/{event_name}`,
  summary: 'Delete an event',
  description: 'Everything received so far stops counting immediately. Later occurrences count again.',
});

export const Analytics_EventsDeleteLogs = endpoint({
  ...deleting,
  id: 'Analytics_EventsDeleteLogs',
  path: `${at}/event_logs/{event_name}`,
  summary: 'Delete the logs of an event',
  description: 'Same as deleting the event, because an event is counted from its logs.',
});
