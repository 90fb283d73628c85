import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const range = { start: '2026-11-01T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z' };
const [first, second] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
const series = (a: number, b: number) => [
  { datetime: first, count: a },
  { datetime: second, count: b },
];
const event = { ...params, event_name: 'checkout' };

const device = {
  sdk_name: 'appcenter.android',
  sdk_version: '5.0.6',
  model: 'Pixel 7',
  oem_name: 'Google',
  os_name: 'Android',
  os_version: '14',
  locale: 'en_US',
  time_zone_offset: 120,
  app_version: '1.4.0',
  app_build: '140',
} as const;
const log = {
  type: 'event',
  timestamp: '2026-11-01T08:59:58.200Z',
  install_id: '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11',
  session_id: '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d22',
  device,
} as const;
const flow = { exceeded_max_limit: false, last_received_log_timestamp: '2026-11-01T09:00:00.000Z' };

export const analyticsExamples = {
  Analytics_DeviceCounts: {
    params,
    query: { ...range, versions: '1.4.0|1.5.0' },
    response: { daily: series(120, 131), weekly: series(410, 422), monthly: series(980, 991) },
  },
  Analytics_Versions: {
    params,
    query: range,
    response: { total: 131, versions: [{ version: '1.4.0', count: 131, previous_count: 120 }] },
  },
  Analytics_ModelCounts: {
    params,
    query: { ...range, $top: 10 },
    response: { total: 131, models: [{ model_name: 'Pixel 7', count: 40, previous_count: 38 }] },
  },
  Analytics_OperatingSystemCounts: {
    params,
    query: range,
    response: { total: 131, oses: [{ os_name: 'Android 14', count: 90, previous_count: 88 }] },
  },
  Analytics_LanguageCounts: {
    params,
    query: range,
    response: { total: 131, languages: [{ language_name: 'en-US', count: 70, previous_count: 71 }] },
  },
  Analytics_PlaceCounts: {
    params,
    query: range,
    response: { total: 131, places: [{ code: 'DE', count: 60, previous_count: 55 }] },
  },
  Analytics_SessionCounts: { params, query: { ...range, interval: 'P1D' }, response: series(300, 320) },
  Analytics_PerDeviceCounts: {
    params,
    query: { ...range, interval: 'P1D' },
    response: {
      average_sessions_per_user: 2.5,
      previous_average_sessions_per_user: 2.4,
      total_count: 620,
      previous_total_count: 590,
      sessions_per_user: series(2.5, 2.5),
    },
  },
  Analytics_SessionDurationsDistribution: {
    params,
    query: range,
    response: {
      distribution: [
        { bucket: '0-10s', count: 12 },
        { bucket: '10-30s', count: 40 },
        { bucket: '30s-1min', count: 51 },
        { bucket: '1-30min', count: 230 },
        { bucket: '30min-1h', count: 7 },
        { bucket: '>1h', count: 1 },
      ],
      previous_average_duration: 'PT4M2S',
      average_duration: 'PT4M10.5S',
    },
  },
  Analytics_Events: {
    params,
    query: { ...range, $top: 10, $orderby: 'count desc', $inlinecount: 'allpages' },
    response: {
      events: [
        {
          id: '7b0c7a1f-0000-5000-8000-3f0c5d2e9b11',
          name: 'checkout',
          device_count: 20,
          previous_device_count: 18,
          count: 50,
          previous_count: 45,
          count_per_device: 2.5,
          count_per_session: 1.25,
        },
      ],
      total: 1,
      total_devices: 131,
    },
  },
  Analytics_EventCount: {
    params: event,
    query: range,
    response: { total_count: 50, previous_total_count: 45, count: series(20, 30) },
  },
  Analytics_EventDeviceCount: {
    params: event,
    query: range,
    response: {
      total_devices: 131,
      total_devices_with_event: 20,
      previous_total_devices_with_event: 18,
      devices_count: series(9, 12),
    },
  },
  Analytics_EventPerDeviceCount: {
    params: event,
    query: range,
    response: { avg_count_per_device: 2.5, previous_avg_count_per_device: 2.5, count_per_device: series(2, 2.5) },
  },
  Analytics_EventPerSessionCount: {
    params: event,
    query: range,
    response: { avg_count_per_session: 1.25, previous_avg_count_per_session: 1.5, count_per_session: series(1, 1.5) },
  },
  Analytics_EventProperties: { params: event, response: { event_properties: ['items', 'plan'] } },
  Analytics_EventPropertyCounts: {
    params: { ...event, event_property_name: 'plan' },
    query: range,
    response: {
      total: 50,
      values: [
        { name: 'pro', count: 30, previous_count: 20 },
        { name: 'free', count: 20, previous_count: 25 },
      ],
    },
  },
  Analytics_EventsDelete: { params: { ...params, event_name: 'test event' } },
  Analytics_EventsDeleteLogs: { params: { ...params, event_name: 'test event' } },
  Analytics_LogFlow: {
    params,
    query: { start: '2026-11-01T08:59:00.000Z' },
    response: { ...flow, logs: [{ ...log, id: 'c1d2e3f4-0000-4000-8000-3f0c5d2e9b11', name: 'checkout' }] },
  },
  Analytics_GenericLogFlow: {
    params,
    query: { start: '2026-11-01T08:59:00.000Z' },
    response: { ...flow, logs: [{ ...log, event_id: 'c1d2e3f4-0000-4000-8000-3f0c5d2e9b11', event_name: 'checkout' }] },
  },
  Analytics_CrashCounts: { params, query: range, response: { count: 3, crashes: series(1, 2) } },
  Analytics_CrashFreeDevicePercentages: {
    params,
    query: { ...range, version: '1.4.0' },
    response: {
      average_percentage: 98.5,
      daily_percentages: [
        { datetime: first, percentage: 99.2 },
        { datetime: second, percentage: 98.4 },
      ],
    },
  },
  analytics_watchLogs: { params, query: { seconds: 0, type: 'event' } },
} satisfies EndpointExamples<
  typeof import('./crashes.contract.ts') &
    typeof import('./devices.contract.ts') &
    typeof import('./events.contract.ts') &
    typeof import('./log-flow.contract.ts') &
    typeof import('./sessions.contract.ts')
>;
