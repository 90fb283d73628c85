import type { FilterNode } from '../kernel/filter/filter-ast.ts';

/** A UTC day, as days since 1970. */
export type Day = number;

/** Both days included. */
export interface DayRange {
  from: Day;
  to: Day;
}

export const dayOf = (time: number): Day => Math.floor(time / 86_400_000);
export const startOfDay = (day: Day): number => day * 86_400_000;
export const lengthOf = ({ from, to }: DayRange): number => to - from + 1;

/** As long as this range, and ends where it begins. */
export const previousOf = (range: DayRange): DayRange => ({ from: range.from - lengthOf(range), to: range.from - 1 });

/** What a device tells about itself with every log. */
export const dimensions = ['version', 'build', 'country', 'model', 'os', 'language', 'carrier'] as const;
export type Dimension = (typeof dimensions)[number];

/** Only logs with one of these values; a dimension that is absent is not looked at. */
export type Filter = { readonly [D in Dimension]?: readonly string[] };

/** What is known of a device, each as its latest log tells it. */
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

/** Devices of which something is true. What apps tell of a device by themselves goes by `custom:`, its type and its name. */
export type DeviceFilter = FilterNode<DeviceProperty | `custom:${CustomType}:${string}`>;

interface Asked {
  range: DayRange;
  filter: Filter;
}

/** In ms; the beginning is included, the end is not. */
export interface TimeRange {
  from: number;
  to: number;
}

/** From one time to another; `range` has the days of that. */
interface AskedTimes extends Asked {
  times: TimeRange;
}

/** What is counted; of an event its devices, the sessions in which it happened, or how often. */
export const measures = ['devices', 'sessions', 'events', 'crashes'] as const;
export type Measure = (typeof measures)[number];

/** By what it is counted: something that a device tells of itself, the name of the event, or a property of it. */
export type Grouping = Dimension | 'event' | { readonly property: string };

/** An event, perhaps only with a value of a property. */
export interface FunnelStep {
  readonly name: string;
  readonly property?: { readonly name: string; readonly value: string };
}

/** 0 is no limit. */
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

/** Up to how many seconds the sessions of each band last; the last band has no end. */
export const durationBands = [10, 30, 60, 1800, 3600] as const;

/**
 * What can be asked of telemetry. A *device* is an installation, and *active* with any session start, page or event. A
 * *session* belongs to the day of its start; without one, to each day on which it is seen after a day without a sign of it.
 */
export interface Questions {
  /** Distinct active devices, for each day: of that day, of the 7 and of the 28 days that end with it. */
  activeDevices: { asked: Asked; answer: { daily: number[]; weekly: number[]; monthly: number[] } };
  /** Distinct active devices and sessions, for each bucket of so many days, the last of which may be shorter. */
  usage: { asked: Asked & { bucketDays: number }; answer: { devices: number[]; sessions: number[] } };
  /** Sessions by how long they lasted, of those with more than one log; at most a day each. */
  sessionDurations: { asked: Asked; answer: { bands: number[]; sessions: number; totalMs: number } };
  /** Distinct active devices by a value of theirs, most first, also in the previous range; `total` of the whole range. */
  devicesBy: {
    asked: Asked & { dimension: Dimension; limit: Limit };
    answer: { total: number; rows: { value: string; count: number; previous: number }[] };
  };
  /** Events by name; `total` is how many names there are, `totalDevices` how many devices were active. */
  events: {
    asked: Asked & { names: readonly string[]; order: EventOrder; isDescending: boolean; skip: number; limit: Limit };
    answer: { total: number; totalDevices: number; rows: EventRow[] };
  };
  /** One event on each day, in the range and in the one before. */
  eventByDay: {
    asked: Asked & { name: string };
    answer: { days: EventCounts[]; total: EventCounts; previous: EventCounts; totalDevices: number };
  };
  /** Names of the properties that an event came with. */
  eventProperties: { asked: Asked & { name: string }; answer: string[] };
  /** Values of a property of an event, most first; `total` counts all values. */
  propertyValues: {
    asked: Asked & { name: string; property: string; limit: Limit };
    answer: { total: number; rows: { value: string; count: number; previous: number }[] };
  };
  /** Crashes, the devices that they happened on, and those that were active, crashed ones included: by day, and in all. */
  crashes: { asked: Asked; answer: { days: CrashCounts[]; total: CrashCounts } };
  /** How many of all active devices match each of some filters. */
  audiences: {
    asked: Asked & { audiences: readonly DeviceFilter[] };
    answer: { total: number; counts: number[] };
  };
  /** What apps told of devices by themselves, with the type that each had last. */
  customProperties: { asked: Asked; answer: { name: string; type: CustomType }[] };
  /** Values of a property of devices, in order, those that contain a text in whatever case. */
  deviceValues: { asked: Asked & { property: DeviceProperty; contains: string; limit: Limit }; answer: string[] };
  /**
   * A measure by up to two groupings, most first, and in buckets of so many ms from the beginning on. A session is where it
   * began: at its start, or at the first sign of it. `groups` is how many there are.
   */
  breakdown: {
    asked: AskedTimes & {
      measure: Measure;
      event: string | undefined;
      by: readonly Grouping[];
      bucketMs: number;
      limit: Limit;
    };
    answer: {
      total: number;
      counts: number[];
      groups: number;
      rows: { values: string[]; total: number; counts: number[] }[];
    };
  };
  /** Devices that did one thing after the other, each strictly later, all within some time of the first. */
  funnel: { asked: Asked & { steps: readonly FunnelStep[]; withinMs: number }; answer: number[] };
  /**
   * Devices by the bucket of days in which they were first active since a day, and how many of them were active in that and
   * in each later bucket.
   */
  retention: { asked: Asked & { bucketDays: number; since: Day }; answer: number[][] };
  /**
   * What happened first in sessions, one name after the other, most sessions first; perhaps from the first of a name on.
   * A name that comes right after itself is one step.
   */
  sessionPaths: {
    asked: Asked & { start: string | undefined; length: number; limit: Limit };
    answer: { sessions: number; paths: number; rows: { names: string[]; sessions: number }[] };
  };
  /** Single logs of events and pages, newest first. */
  logSearch: {
    asked: AskedTimes & {
      name: string | undefined;
      install: string | undefined;
      user: string | undefined;
      session: string | undefined;
      property: { readonly name: string; readonly value: string | undefined } | undefined;
      skip: number;
      limit: number;
    };
    answer: FoundLog[];
  };
  /** Every log, oldest first, in an order that is the same whenever it is asked for. */
  allLogs: {
    asked: AskedTimes & {
      /** Only of one installation, or with the id of one user. */
      sender?: { readonly kind: 'install' | 'user'; readonly value: string };
      skip: number;
      limit: number;
    };
    answer: FoundLog[];
  };
  /** What came in a session of a device until a time, newest first. */
  sessionLogs: {
    asked: Asked & { install: string; session: string; until: number; limit: number };
    answer: FoundLog[];
  };
}

export interface FoundLog {
  type: string;
  at: number;
  install: string;
  /** Of the session, as it is known here. */
  session: string | undefined;
  name: string | undefined;
  user: string | undefined;
  /** What the device says of itself. */
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
  /** In which it happened. */
  sessions: number;
}

export interface EventRow extends EventCounts {
  name: string;
  previousCount: number;
  previousDevices: number;
}

export type QuestionName = keyof Questions;
export type Question<N extends QuestionName = QuestionName> = { [K in N]: { ask: K } & Questions[K]['asked'] }[N];
export type Answer<N extends QuestionName> = Questions[N]['answer'];

/** The days whose parts a question reads. */
export function daysOf(question: Question): DayRange {
  const { range } = question;
  switch (question.ask) {
    case 'activeDevices':
      return { from: range.from - 27, to: range.to };
    case 'usage':
      return { from: range.from - 1, to: range.to };
    case 'sessionDurations':
      return { from: range.from - 1, to: range.to + 1 };
    case 'retention':
      return { from: Math.min(question.since, range.from), to: range.to };
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
      return { from: previousOf(range).from, to: range.to };
  }
}

/** The kinds of files that each question reads. */
export const kindsOf = {
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
} as const satisfies Record<QuestionName, readonly ('logs' | 'devices' | 'sessions')[]>;
