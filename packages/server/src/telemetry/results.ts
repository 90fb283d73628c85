import { parseOwnJson } from '../kernel/text/json.ts';
import {
  type CustomType,
  countDays,
  dimensions,
  durationBands,
  type EventCounts,
  type EventRow,
  type FoundLog,
  type QueryName,
  type QueryResult,
  type TelemetryQuery,
} from './queries.ts';
import { UNKNOWN } from './rows.ts';

export type Value = string | number | boolean | null;
/** A row of an engine. Numbers may be text. */
export type Row = Readonly<Record<string, Value>>;

const isThere = (row: Row, column: string): boolean => row[column] !== null && row[column] !== undefined;
const number = (row: Row | undefined, column: string): number => Number(row?.[column] ?? 0);
const text = (row: Row, column: string): string | undefined => (isThere(row, column) ? String(row[column]) : undefined);
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byIndex = (rows: readonly Row[], length: number, at: (row: Row) => number, column: string): number[] => {
  const series = new Array<number>(length).fill(0);
  for (const row of rows) series[at(row)] = number(row, column);
  return series;
};

/** Values with their counts, most first. The row with `total` is separate. */
const counted = (rows: readonly Row[]) => ({
  total: number(
    rows.find((row) => isThere(row, 'total')),
    'total',
  ),
  rows: rows
    .filter((row) => !isThere(row, 'total'))
    .map((row) => ({
      value: text(row, 'value') ?? UNKNOWN,
      count: number(row, 'count'),
      previous: number(row, 'previous'),
    }))
    .sort((a, b) => b.count - a.count || compareText(a.value, b.value)),
});

const toCounts = (row: Row | undefined): EventCounts => ({
  count: number(row, 'count'),
  devices: number(row, 'devices'),
  sessions: number(row, 'sessions'),
});

const toEventRow = (row: Row): EventRow => ({
  name: String(row.name),
  ...toCounts(row),
  previousCount: number(row, 'previous_count'),
  previousDevices: number(row, 'previous_devices'),
});

const toCrashCounts = (row: Row | undefined) => ({
  count: number(row, 'count'),
  devices: number(row, 'devices'),
  activeDevices: number(row, 'active'),
});

/** Device columns of logs in results. */
export const deviceColumns = [...dimensions, 'oem', 'screen', 'api'] as const;

const toFound = (row: Row): FoundLog => ({
  type: String(row.type),
  at: number(row, 'ts'),
  install: String(row.device),
  session: text(row, 'session'),
  name: text(row, 'name'),
  user: text(row, 'user'),
  device: Object.fromEntries(deviceColumns.map((name) => [name, String(row[name])])) as FoundLog['device'],
  properties: parseOwnJson<FoundLog['properties']>(text(row, 'properties') ?? '{}'),
});

const of = (rows: readonly Row[], what: string): Row[] => rows.filter((row) => row.what === what);

/** Functions that convert an engine's rows to the result of a query. */
const resultBuilders: {
  readonly [N in QueryName]: (rows: readonly Row[], query: TelemetryQuery<N>) => QueryResult<N>;
} = {
  activeDevices(rows, { range }) {
    const first = range.from - 27;
    const toSeries = (width: number) =>
      byIndex(
        rows.filter((row) => number(row, 'width') === width && number(row, 'day') <= range.to),
        countDays(range) + 27,
        (row) => number(row, 'day') - first,
        'count',
      );
    const begun = toSeries(0);
    const rolling = (ended: number[]) => {
      let now = 0;
      return begun.map((count, at) => {
        now += count - (ended[at] ?? 0);
        return now;
      });
    };
    return {
      daily: begun.slice(27),
      weekly: rolling(toSeries(7)).slice(27),
      monthly: rolling(toSeries(28)).slice(27),
    };
  },
  usage(rows, { range, bucketDays }) {
    const toSeries = (what: string) =>
      byIndex(of(rows, what), Math.ceil(countDays(range) / bucketDays), (row) => number(row, 'bucket'), 'count');
    return { devices: toSeries('devices'), sessions: toSeries('sessions') };
  },
  sessionDurations: (rows) => ({
    bands: byIndex(rows, durationBands.length + 1, (row) => number(row, 'band'), 'count'),
    sessions: rows.reduce((sum, row) => sum + number(row, 'count'), 0),
    totalMs: rows.reduce((sum, row) => sum + number(row, 'ms'), 0),
  }),
  devicesBy: counted,
  events: (rows) => ({
    total: number(rows[0], 'total'),
    totalDevices: number(rows[0], 'total_devices'),
    rows: rows.filter((row) => isThere(row, 'name')).map(toEventRow),
  }),
  eventByDay(rows, { range }) {
    const byDay = new Map(of(rows, 'day').map((row) => [number(row, 'day'), row]));
    return {
      days: Array.from({ length: countDays(range) }, (_, at) => toCounts(byDay.get(range.from + at))),
      total: toCounts(of(rows, 'total')[0]),
      previous: toCounts(of(rows, 'previous')[0]),
      totalDevices: number(of(rows, 'active')[0], 'devices'),
    };
  },
  eventProperties: (rows) => rows.map(({ property }) => String(property)).sort(compareText),
  propertyValues: counted,
  crashes(rows, { range }) {
    const byDay = new Map(of(rows, 'day').map((row) => [number(row, 'day'), row]));
    return {
      days: Array.from({ length: countDays(range) }, (_, at) => toCrashCounts(byDay.get(range.from + at))),
      total: toCrashCounts(of(rows, 'total')[0]),
    };
  },
  audiences: ([row], { audiences }) => ({
    total: number(row, 'total'),
    counts: audiences.map((_, at) => number(row, `count_${at}`)),
  }),
  customProperties: (rows) =>
    rows
      .map(({ name, type }) => ({ name: String(name), type: type as CustomType }))
      .sort((a, b) => compareText(a.name, b.name)),
  deviceValues: (rows) => rows.map(({ value }) => String(value)),
  breakdown(rows, { by, times, bucketMs }) {
    const width = bucketMs > 0 ? bucketMs : times.to - times.from;
    const length = Math.max(1, Math.ceil((times.to - times.from) / width));
    const series = (some: readonly Row[]) => byIndex(some, length, (row) => number(row, 'bucket'), 'count');
    const grouped = Map.groupBy(by.length > 0 ? of(rows, 'row') : [], (row) => number(row, 'place'));
    return {
      total: number(of(rows, 'total')[0], 'count'),
      counts: series(of(rows, 'bucket')),
      groups: by.length > 0 ? number(of(rows, 'groups')[0], 'count') : 0,
      rows: [...grouped]
        .sort(([a], [b]) => a - b)
        .map(([, some]) => ({
          values: by.map((_, at) => String(some[0]?.[`by_${at}`])),
          total: number(some[0], 'total'),
          counts: series(some),
        })),
    };
  },
  funnel: (rows, { steps }) =>
    steps.map((_, at) =>
      number(
        rows.find((row) => number(row, 'step') === at),
        'devices',
      ),
    ),
  retention(rows, { range, bucketDays }) {
    const length = Math.ceil(countDays(range) / bucketDays);
    const cohorts = Array.from({ length }, (_, at) => new Array<number>(length - at).fill(0));
    for (const row of rows) {
      const cohort = number(row, 'cohort');
      const counts = cohorts[cohort];
      if (counts) counts[number(row, 'bucket') - cohort] = number(row, 'devices');
    }
    return cohorts;
  },
  sessionPaths(rows) {
    const all = rows.find((row) => isThere(row, 'total'));
    return {
      sessions: number(all, 'sessions'),
      paths: number(all, 'total'),
      rows: rows
        .filter((row) => !isThere(row, 'total'))
        .map((row) => ({ names: parseOwnJson<string[]>(String(row.path)), sessions: number(row, 'sessions') })),
    };
  },
  logSearch: (rows) => rows.map(toFound),
  allLogs: (rows) => rows.map(toFound),
  sessionLogs: (rows) => rows.map(toFound),
};

export const toResult = <N extends QueryName>(query: TelemetryQuery<N>, rows: readonly Row[]): QueryResult<N> =>
  resultBuilders[query.kind as N](rows, query);
