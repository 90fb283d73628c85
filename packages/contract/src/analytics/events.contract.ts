import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import {
  AppPath,
  at,
  Count,
  Counts,
  EventNames,
  EventPath,
  GivenName,
  numbered,
  Range,
  RangeQuery,
  Ratios,
  reading,
  Top,
  Versions,
} from './asked.ts';

const params = Type.Object(EventPath);

export const Analytics_Events = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_Events',
  path: `${at}/events`,
  summary: 'Lists events with how often they happened',
  description: '`total_devices` are the active devices, with or without events.',
  params: Type.Object(AppPath),
  query: Type.Object({
    ...Range,
    ...Versions,
    ...EventNames,
    ...Top,
    $skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'How many to leave out first.' }),
    ),
    $inlinecount: Type.Optional(
      Type.Enum(['allpages', 'none'], { description: '`allpages` for how many names there are.' }),
    ),
    $orderby: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'A column of the answer, and `asc` or `desc`; `count desc` if absent. Events that are equal come in the order of names.',
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
          count_per_session: Type.Number({ description: 'Of the sessions in which it happened.' }),
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
  summary: 'Counts an event by day',
  query: RangeQuery,
  response: json(Type.Object({ total_count: Count, previous_total_count: Count, count: Counts }), {
    description: 'The counts.',
  }),
});

export const Analytics_EventDeviceCount = endpoint({
  ...ofEvent,
  id: 'Analytics_EventDeviceCount',
  path: `${at}/events/{event_name}/device_count`,
  summary: 'Counts the devices that sent an event, by day',
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
  summary: 'Tells how often an event happened on a device that sent it, by day',
  query: RangeQuery,
  response: json(
    Type.Object({
      avg_count_per_device: Type.Number(),
      previous_avg_count_per_device: Type.Number(),
      count_per_device: Ratios,
    }),
    { description: 'The ratios; the averages are of the whole range.' },
  ),
});

export const Analytics_EventPerSessionCount = endpoint({
  ...ofEvent,
  id: 'Analytics_EventPerSessionCount',
  path: `${at}/events/{event_name}/count_per_session`,
  summary: 'Tells how often an event happened in a session in which it did, by day',
  query: RangeQuery,
  response: json(
    Type.Object({
      avg_count_per_session: Type.Number(),
      previous_avg_count_per_session: Type.Number(),
      count_per_session: Ratios,
    }),
    { description: 'The ratios; the averages are of the whole range.' },
  ),
});

export const Analytics_EventProperties = endpoint({
  ...ofEvent,
  id: 'Analytics_EventProperties',
  path: `${at}/events/{event_name}/properties`,
  summary: 'Lists the properties that an event came with, as long as it is kept',
  response: json(Type.Object({ event_properties: Type.Array(Type.String()) }), { description: 'Their names.' }),
});

export const Analytics_EventPropertyCounts = endpoint({
  ...ofEvent,
  id: 'Analytics_EventPropertyCounts',
  path: `${at}/events/{event_name}/properties/{event_property_name}/counts`,
  summary: 'Counts an event by the value of a property, most first',
  params: Type.Object({ ...EventPath, event_property_name: GivenName }),
  query: Type.Object({
    ...Range,
    ...Versions,
    $top: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2000, description: 'How many at most, 10 if absent; 0 for all.' }),
    ),
  }),
  response: json(
    Type.Object({
      total: Count,
      values: Type.Array(Type.Object({ name: Type.String(), count: Count, previous_count: Count })),
    }),
    { description: 'The values; `total` counts all, also those that are not shown.' },
  ),
});

const deleting = {
  ...ofEvent,
  method: 'DELETE',
  access: 'app:manager',
  effect: 'change',
  response: empty({ status: 200, description: 'It is gone.' }),
} as const;

export const Analytics_EventsDelete = endpoint({
  ...deleting,
  id: 'Analytics_EventsDelete',
  path: `${at}/events/{event_name}`,
  summary: 'Deletes an event',
  description: 'What came of it until now is gone at once. What comes later counts.',
});

export const Analytics_EventsDeleteLogs = endpoint({
  ...deleting,
  id: 'Analytics_EventsDeleteLogs',
  path: `${at}/event_logs/{event_name}`,
  summary: 'Deletes the logs of an event',
  description: 'The same as deleting the event: it is counted from its logs.',
});
