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
export const dimensions = ['version', 'build', 'country', 'model', 'os', 'language'] as const;
export type Dimension = (typeof dimensions)[number];

/** Only logs with one of these values; a dimension that is absent is not looked at. */
export type Filter = { readonly [D in Dimension]?: readonly string[] };

interface Asked {
  range: DayRange;
  filter: Filter;
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
    case 'eventProperties':
    case 'crashes':
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
} as const satisfies Record<QuestionName, readonly ('logs' | 'devices' | 'sessions')[]>;
