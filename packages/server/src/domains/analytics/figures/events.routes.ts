import {
  Analytics_EventCount,
  Analytics_EventDeviceCount,
  Analytics_EventPerDeviceCount,
  Analytics_EventPerSessionCount,
  Analytics_EventProperties,
  Analytics_EventPropertyCounts,
  Analytics_Events,
  Analytics_EventsDelete,
  Analytics_EventsDeleteLogs,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { deleteEvent } from '../deletion/erasures.ts';
import { ratio } from '../query-range.ts';
import { countEvent, countPropertyValues, listEventProperties, listEvents } from './events.ts';

export const eventRoutes = [
  route(Analytics_Events, async (ctx, { query }) => {
    const { total, totalDevices, events } = await listEvents(ctx, query);
    return {
      events: events.map(({ id, name, count, devices, sessions, previousCount, previousDevices }) => ({
        id,
        name,
        device_count: devices,
        previous_device_count: previousDevices,
        count,
        previous_count: previousCount,
        count_per_device: ratio(count, devices),
        count_per_session: ratio(count, sessions),
      })),
      ...(query.$inlinecount === 'allpages' ? { total } : {}),
      total_devices: totalDevices,
    };
  }),
  route(Analytics_EventCount, async (ctx, { params, query }) => {
    const { total, previous, daily } = await countEvent(ctx, params.event_name, query);
    return { total_count: total.count, previous_total_count: previous.count, count: daily(({ count }) => count) };
  }),
  route(Analytics_EventDeviceCount, async (ctx, { params, query }) => {
    const { total, previous, totalDevices, daily } = await countEvent(ctx, params.event_name, query);
    return {
      total_devices: totalDevices,
      total_devices_with_event: total.devices,
      previous_total_devices_with_event: previous.devices,
      devices_count: daily(({ devices }) => devices),
    };
  }),
  route(Analytics_EventPerDeviceCount, async (ctx, { params, query }) => {
    const { total, previous, perDevice, daily } = await countEvent(ctx, params.event_name, query);
    return {
      avg_count_per_device: perDevice(total),
      previous_avg_count_per_device: perDevice(previous),
      count_per_device: daily(perDevice),
    };
  }),
  route(Analytics_EventPerSessionCount, async (ctx, { params, query }) => {
    const { total, previous, perSession, daily } = await countEvent(ctx, params.event_name, query);
    return {
      avg_count_per_session: perSession(total),
      previous_avg_count_per_session: perSession(previous),
      count_per_session: daily(perSession),
    };
  }),
  route(Analytics_EventProperties, async (ctx, { params }) => ({
    event_properties: await listEventProperties(ctx, params.event_name),
  })),
  route(Analytics_EventPropertyCounts, async (ctx, { params, query }) => {
    const options = { name: params.event_name, property: params.event_property_name, limit: query.$top ?? 10 };
    const { total, rows } = await countPropertyValues(ctx, options, query);
    return {
      total,
      values: rows.map(({ value, count, previous }) => ({ name: value, count, previous_count: previous })),
    };
  }),
  route(Analytics_EventsDelete, (ctx, { params }) => deleteEvent(ctx, params.event_name)),
  route(Analytics_EventsDeleteLogs, (ctx, { params }) => deleteEvent(ctx, params.event_name)),
];
