import type { FilterNode } from '../kernel/filter/filter-ast.ts';

/** A UTC day, as the number of days since 1970. */
export type Day = number;

/** Both days are included. */
export interface DayRange {
  from: Day;
  to: Day;
}

export const toDay = (time: number): Day => Math.floor(time / 86_400_000);
export const getDayStart = (day: Day): number => day * 86_400_000;
export const countDays = ({ from, to }: DayRange): number => to - from + 1;

/** The range of the same length directly before this one. */
export const getPreviousRange = (range: DayRange): DayRange => ({
  from: range.from - countDays(range),
  to: range.from - 1,
});

/** Properties that a device sends with every log. */
export const dimensions = ['version', 'build', 'country', 'model', 'os', 'language', 'carrier'] as const;
export type Dimension = (typeof dimensions)[number];

/** Values of dimensions that logs must have; a missing dimension is not filtered. */
export type Filter = { readonly [D in Dimension]?: readonly string[] };

/** Properties of a device, from its latest log. */
export const deviceProperties = [
  'version',
  'country',
  'carrier',
  'language',
  'model',
  'oem',
  'osVersion',
  'screen',
  'apiLevel',
] as const;
export type DeviceProperty = (typeof deviceProperties)[number];

export const customTypes = ['string', 'number', 'boolean', 'date_time'] as const;
export type CustomType = (typeof customTypes)[number];

/** Filters devices. Custom properties of apps have the form `custom:<type>:<name>`. */
export type DeviceFilter = FilterNode<DeviceProperty | `custom:${CustomType}:${string}`>;

interface QueryParams {
  range: DayRange;
  filter: Filter;
}

/** In ms. The start is included, the end is not. */
export interface TimeRange {
  from: number;
  to: number;
}

/** Limited to exact times; `range` contains their days. */
interface TimedQueryParams extends QueryParams {
  times: TimeRange;
}

/** Measures; for an event, its devices, sessions, or occurrences. */
export const measures = ['devices', 'sessions', 'events', 'crashes'] as const;
export type Measure = (typeof measures)[number];

/** Groups by a dimension, the event name, or an event property. */
export type Grouping = Dimension | 'event' | { readonly property: string };

/** An event, optionally only with one value of a property. */
export interface FunnelStep {
  readonly name: string;
  readonly property?: { readonly name: string; readonly value: string };
}

/** 0 means no limit. */
type Limit = number;

export const eventOrders = [
  'name',
  'count',
  'previousCount',
  'devices',
  'previousDevices',
  'countPerDevice',
  'countPerSession',
] as const;
export type EventOrder = (typeof eventOrders)[number];

/** Upper limits of the bands of session durations, in seconds; the last band is unlimited. */
export const durationBands = [10, 30, 60, 1800, 3600] as const;

/**
 * Telemetry queries. A *device* is an installation; it is *active* with any session start, page or event. A *session*
 * belongs to the day of its start; without a start, to each day on which it is seen, unless it was also seen on the day
 * before.
 */
export interface TelemetryQueries {
  /** Distinct active devices for each day: of that day, and of the 7 and 28 days that end with it. */
  activeDevices: { params: QueryParams; result: { daily: number[]; weekly: number[]; monthly: number[] } };
  /** Distinct active devices and sessions for each bucket of days. The last bucket may be shorter. */
  usage: { params: QueryParams & { bucketDays: number }; result: { devices: number[]; sessions: number[] } };
  /** Sessions by duration: those with more than one log, limited to a day. */
  sessionDurations: { params: QueryParams; result: { bands: number[]; sessions: number; totalMs: number } };
  /** Distinct active devices by a dimension, most first, with the previous range. `total` counts the whole range. */
  devicesBy: {
    params: QueryParams & { dimension: Dimension; limit: Limit };
    result: { total: number; rows: { value: string; count: number; previous: number }[] };
  };
  /** Events by name. `total` counts the names, and `totalDevices` the active devices. */
  events: {
    params: QueryParams & {
      names: readonly string[];
      order: EventOrder;
      isDescending: boolean;
      skip: number;
      limit: Limit;
    };
    result: { total: number; totalDevices: number; rows: EventRow[] };
  };
  /** One event by day, in the range and in the previous one. */
  eventByDay: {
    params: QueryParams & { name: string };
    result: { days: EventCounts[]; total: EventCounts; previous: EventCounts; totalDevices: number };
  };
  /** Names of the properties of an event. */
  eventProperties: { params: QueryParams & { name: string }; result: string[] };
  /** Values of an event property, most first. `total` counts all values. */
  propertyValues: {
    params: QueryParams & { name: string; property: string; limit: Limit };
    result: { total: number; rows: { value: string; count: number; previous: number }[] };
  };
  /** Crashes, the devices they occurred on, and active devices (including crashed ones): by day, and in total. */
  crashes: { params: QueryParams; result: { days: CrashCounts[]; total: CrashCounts } };
  /** Number of active devices that match each filter. */
  audiences: {
    params: QueryParams & { audiences: readonly DeviceFilter[] };
    result: { total: number; counts: number[] };
  };
  /** Custom properties of devices, with the latest type of each. */
  customProperties: { params: QueryParams; result: { name: string; type: CustomType }[] };
  /** Sorted values of a device property that contain a text, in any case. */
  deviceValues: {
    params: QueryParams & { property: DeviceProperty; contains: string; limit: Limit };
    result: string[];
  };
  /**
   * A measure by up to two groupings, most first, in buckets of `bucketMs` from the start. A session counts at its
   * start, or at its first log. `groups` is the number of groups.
   */
  breakdown: {
    params: TimedQueryParams & {
      measure: Measure;
      event: string | undefined;
      by: readonly Grouping[];
      bucketMs: number;
      limit: Limit;
    };
    result: {
      total: number;
      counts: number[];
      groups: number;
      rows: { values: string[]; total: number; counts: number[] }[];
    };
  };
  /** Devices that completed each step, each strictly after the previous one, all within a time limit from the first. */
  funnel: { params: QueryParams & { steps: readonly FunnelStep[]; withinMs: number }; result: number[] };
  /**
   * Devices by the bucket of their first active day since `since`, and how many of them were active in that bucket and
   * each later one.
   */
  retention: { params: QueryParams & { bucketDays: number; since: Day }; result: number[][] };
  /**
   * The first names of sessions in sequence, most sessions first; optionally from the first occurrence of `start`.
   * Repeated names count as one step.
   */
  sessionPaths: {
    params: QueryParams & { start: string | undefined; length: number; limit: Limit };
    result: { sessions: number; paths: number; rows: { names: string[]; sessions: number }[] };
  };
  /** Logs of events and pages, newest first. */
  logSearch: {
    params: TimedQueryParams & {
      name: string | undefined;
      install: string | undefined;
      user: string | undefined;
      session: string | undefined;
      property: { readonly name: string; readonly value: string | undefined } | undefined;
      skip: number;
      limit: number;
    };
    result: FoundLog[];
  };
  /** All logs, oldest first, in a stable order. */
  allLogs: {
    params: TimedQueryParams & {
      /** Limits the logs to one installation or user ID. */
      subject?: { readonly kind: 'install' | 'user'; readonly value: string };
      skip: number;
      limit: number;
    };
    result: FoundLog[];
  };
  /** Logs in a session of a device up to a time, newest first. */
  sessionLogs: {
    params: QueryParams & { install: string; session: string; until: number; limit: number };
    result: FoundLog[];
  };
}

export interface FoundLog {
  type: string;
  at: number;
  install: string;
  /** Session ID of this server, derived from the device's. */
  session: string | undefined;
  name: string | undefined;
  user: string | undefined;
  /** Properties that the device sent. */
  device: Readonly<Record<Dimension | 'oem' | 'screen' | 'api', string>>;
  properties: Readonly<Record<string, string>>;
}

export interface CrashCounts {
  count: number;
  devices: number;
  activeDevices: number;
}

export interface EventCounts {
  count: number;
  devices: number;
  /** Sessions it occurred in. */
  sessions: number;
}

export interface EventRow extends EventCounts {
  name: string;
  previousCount: number;
  previousDevices: number;
}

export type QueryName = keyof TelemetryQueries;
export type TelemetryQuery<N extends QueryName = QueryName> = {
  [K in N]: { kind: K } & TelemetryQueries[K]['params'];
}[N];
export type QueryResult<N extends QueryName> = TelemetryQueries[N]['result'];

/** The days whose parts a query reads. */
export function getQueryDays(query: TelemetryQuery): DayRange {
  const { range } = query;
  switch (query.kind) {
    case 'activeDevices':
      return { from: range.from - 27, to: range.to };
    case 'usage':
      return { from: range.from - 1, to: range.to };
    case 'sessionDurations':
      return { from: range.from - 1, to: range.to + 1 };
    case 'retention':
      return { from: Math.min(query.since, range.from), to: range.to };
    case 'breakdown':
      return { from: range.from - 1, to: range.to };
    case 'eventProperties':
    case 'crashes':
    case 'audiences':
    case 'customProperties':
    case 'deviceValues':
    case 'funnel':
    case 'sessionPaths':
    case 'logSearch':
    case 'allLogs':
    case 'sessionLogs':
      return range;
    default:
      return { from: getPreviousRange(range).from, to: range.to };
  }
}

/** The kinds of files that each query reads. */
export const fileKindsByQuery = {
  activeDevices: ['devices'],
  usage: ['devices', 'sessions'],
  sessionDurations: ['sessions'],
  devicesBy: ['devices'],
  events: ['logs', 'devices'],
  eventByDay: ['logs', 'devices'],
  eventProperties: ['logs'],
  propertyValues: ['logs'],
  crashes: ['logs', 'devices'],
  audiences: ['logs', 'devices'],
  customProperties: ['logs'],
  deviceValues: ['devices'],
  breakdown: ['logs'],
  funnel: ['logs'],
  retention: ['devices'],
  sessionPaths: ['logs'],
  logSearch: ['logs'],
  allLogs: ['logs'],
  sessionLogs: ['logs'],
} as const satisfies Record<QueryName, readonly ('logs' | 'devices' | 'sessions')[]>;
