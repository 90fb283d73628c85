import {
  analytics_breakdown,
  analytics_funnel,
  analytics_retention,
  analytics_searchLogs,
  analytics_sessionPaths,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import type { FoundLog } from '../../../telemetry/index.ts';
import { breakDown, countFunnel, listSessionPaths, measureRetention, searchLogs } from './explore.ts';

const logToWire = ({ type, at, name, install, session, user, device, properties }: FoundLog) => ({
  type,
  timestamp: toIso(at),
  ...(name === undefined ? {} : { name }),
  install_id: install,
  ...(session === undefined ? {} : { session_id: session }),
  ...(user === undefined ? {} : { user_id: user }),
  device: {
    app_version: device.version,
    app_build: device.build,
    country: device.country,
    model: device.model,
    oem_name: device.oem,
    os: device.os,
    language: device.language,
    carrier: device.carrier,
  },
  properties: { ...properties },
});

export const exploreRoutes = [
  route(analytics_breakdown, async (ctx, { query }) => {
    const { total, groups, buckets, counts, rows } = await breakDown(ctx, query);
    return { total, group_count: groups, buckets, counts, groups: rows };
  }),
  route(analytics_funnel, async (ctx, { body }) => ({
    steps: (await countFunnel(ctx, body)).map(({ event, devices, ofFirst, ofPrevious }) => ({
      event,
      device_count: devices,
      of_first: ofFirst,
      of_previous: ofPrevious,
    })),
  })),
  route(analytics_retention, async (ctx, { query }) => ({
    cohorts: (await measureRetention(ctx, query)).map(({ datetime, devices, active }) => ({
      datetime,
      device_count: devices,
      active_counts: active,
    })),
  })),
  route(analytics_sessionPaths, async (ctx, { query }) => {
    const { sessions, paths, rows } = await listSessionPaths(ctx, query);
    return {
      session_count: sessions,
      path_count: paths,
      paths: rows.map(({ names, sessions }) => ({ names, session_count: sessions })),
    };
  }),
  route(analytics_searchLogs, async (ctx, { query }) => {
    const { logs, hasMore } = await searchLogs(ctx, query);
    return { logs: logs.map(logToWire), has_more: hasMore };
  }),
];
