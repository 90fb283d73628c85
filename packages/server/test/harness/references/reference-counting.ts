import {
  countDays,
  type DayRange,
  type Filter,
  type QueryResult,
  type TelemetryQuery,
} from '../../../src/telemetry/index.ts';

import { explorePlainly } from './reference-exploring.ts';
import { dimensionReaders, isActive, type PlainLog, toDay, toWire } from './reference-log.ts';

export { dimensionReaders, type PlainLog, toWire } from './reference-log.ts';

// A second, plain implementation of telemetry queries, which shares only their types with the engine.

const dimensions = Object.keys(dimensionReaders) as (keyof typeof dimensionReaders)[];

const toKey = (log: PlainLog): string =>
  JSON.stringify(
    (log.type === 'event' || log.type === 'managedError') && log.id !== undefined
      ? [log.install, log.type, log.id]
      : log.type === 'startSession' && log.sid !== undefined
        ? [log.install, log.type, log.sid]
        : log.type === 'page' && log.sid !== undefined
          ? [log.install, log.type, log.sid, log.at, log.name]
          : [log.install, toWire(log)],
  );

/** Each log once a day: of equal ones the first received, and of those received together the earliest. */
export function withoutRepeats(...arrivals: readonly (readonly PlainLog[])[]): PlainLog[] {
  const logByKey = new Map<string, PlainLog>();
  for (const log of arrivals.flatMap((logs) => logs.toSorted((a, b) => a.at - b.at))) {
    const key = `${toDay(log)} ${toKey(log)}`;
    if (!logByKey.has(key)) logByKey.set(key, log);
  }
  return [...logByKey.values()];
}

const distinct = (values: Iterable<string>): number => new Set(values).size;
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const session = (log: PlainLog): string => `${log.install} ${log.sid}`;

function groupBy<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, key);
}

/** Counts logs without duplicates. */
export function countPlainly(all: readonly PlainLog[]) {
  const matching = (filter: Filter) => (log: PlainLog) =>
    dimensions.every((dimension) => filter[dimension]?.includes(dimensionReaders[dimension](log)) ?? true);
  const on =
    ({ from, to }: DayRange) =>
    (log: PlainLog) =>
      toDay(log) >= from && toDay(log) <= to;
  const countDevices = (logs: readonly PlainLog[]) => distinct(logs.filter(isActive).map(({ install }) => install));
  const previous = (range: DayRange): DayRange => ({ from: range.from - countDays(range), to: range.from - 1 });
  const days = ({ from, to }: DayRange) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const inSessions = groupBy(
    all.filter((log) => isActive(log) && log.sid !== undefined),
    session,
  );

  /** Sessions of a day: their start and all their logs. */
  function listSessions(day: number, filter: Filter): { began: number; logs: PlainLog[] }[] {
    return [...inSessions.values()].flatMap((logs) => {
      const today = logs.filter((log) => toDay(log) === day);
      const start = today.find(({ type }) => type === 'startSession');
      if (start) return matching(filter)(start) ? { began: start.at, logs } : [];
      const isContinued = logs.some((log) => toDay(log) === day - 1);
      const ours = today.filter(matching(filter));
      return ours.length > 0 && !isContinued ? { began: Math.min(...ours.map(({ at }) => at)), logs } : [];
    });
  }

  const eventCounts = (logs: PlainLog[]) => ({
    count: logs.length,
    devices: distinct(logs.map(({ install }) => install)),
    sessions: distinct(logs.filter(({ sid }) => sid !== undefined).map(session)),
  });

  function answer(question: TelemetryQuery): QueryResult<TelemetryQuery['kind']> {
    const { range, filter } = question;
    const logs = all.filter(matching(filter));
    const now = logs.filter(on(range));
    const before = logs.filter(on(previous(range)));
    const events = (of: PlainLog[], name?: string) =>
      of.filter((log) => log.type === 'event' && (name === undefined || log.name === name));
    switch (question.kind) {
      case 'activeDevices': {
        const rolling = (width: number) =>
          days(range).map((day) => countDevices(logs.filter(on({ from: day - width + 1, to: day }))));
        return { daily: rolling(1), weekly: rolling(7), monthly: rolling(28) };
      }
      case 'usage': {
        const buckets = [];
        for (let from = range.from; from <= range.to; from += question.bucketDays) {
          buckets.push({ from, to: Math.min(range.to, from + question.bucketDays - 1) });
        }
        return {
          devices: buckets.map((bucket) => countDevices(logs.filter(on(bucket)))),
          sessions: buckets.map((bucket) => sum(days(bucket).map((day) => listSessions(day, filter).length))),
        };
      }
      case 'sessionDurations': {
        const lengths = days(range).flatMap((day) =>
          listSessions(day, filter).flatMap(({ began, logs }) => {
            const seen = logs.filter(on({ from: day, to: day + 1 }));
            const ms = Math.max(...seen.map(({ at }) => at)) - began;
            return seen.length > 1 ? Math.max(0, Math.min(ms, 86_400_000)) : [];
          }),
        );
        const edges = [0, 10, 30, 60, 1800, 3600, Number.POSITIVE_INFINITY];
        const bands = edges
          .slice(1)
          .map((end, at) => lengths.filter((ms) => ms >= (edges[at] ?? 0) * 1000 && ms < end * 1000).length);
        return { bands, sessions: lengths.length, totalMs: sum(lengths) };
      }
      case 'devicesBy': {
        const value = dimensionReaders[question.dimension];
        const of = (some: PlainLog[]) => groupBy(some.filter(isActive), value);
        const old = of(before);
        const rows = [...of(now)]
          .map(([value, some]) => ({ value, count: countDevices(some), previous: countDevices(old.get(value) ?? []) }))
          .sort((a, b) => b.count - a.count || byText(a.value, b.value));
        return { total: countDevices(now), rows: question.limit > 0 ? rows.slice(0, question.limit) : rows };
      }
      case 'events': {
        const { names, order, isDescending, skip, limit } = question;
        const selected = events(now).filter(({ name = '' }) => names.length === 0 || names.includes(name));
        const rows = [...groupBy(selected, ({ name = '' }) => name)].map(([name, some]) => {
          const old = eventCounts(events(before, name));
          return { name, ...eventCounts(some), previousCount: old.count, previousDevices: old.devices };
        });
        const rank = (row: (typeof rows)[number]): number =>
          order === 'countPerDevice'
            ? row.count / row.devices
            : order === 'countPerSession'
              ? row.sessions && row.count / row.sessions
              : order === 'name'
                ? 0
                : row[order];
        const way = isDescending ? -1 : 1;
        rows.sort((a, b) =>
          order === 'name' ? way * byText(a.name, b.name) : way * (rank(a) - rank(b)) || byText(a.name, b.name),
        );
        return {
          total: rows.length,
          totalDevices: countDevices(now),
          rows: limit > 0 ? rows.slice(skip, skip + limit) : rows.slice(skip),
        };
      }
      case 'eventByDay':
        return {
          days: days(range).map((day) => eventCounts(events(now, question.name).filter(on({ from: day, to: day })))),
          total: eventCounts(events(now, question.name)),
          previous: eventCounts(events(before, question.name)),
          totalDevices: countDevices(now),
        };
      case 'eventProperties':
        return [...new Set(events(now, question.name).flatMap(({ properties = {} }) => Object.keys(properties)))].sort(
          byText,
        );
      case 'crashes': {
        const counts = (some: PlainLog[]) => {
          const crashed = some.filter(({ type }) => type === 'managedError');
          return {
            count: crashed.length,
            devices: distinct(crashed.map(({ install }) => install)),
            activeDevices: distinct([...crashed, ...some.filter(isActive)].map(({ install }) => install)),
          };
        };
        return {
          days: days(range).map((day) => counts(now.filter(on({ from: day, to: day })))),
          total: counts(now),
        };
      }
      case 'propertyValues': {
        const of = (some: PlainLog[]) =>
          groupBy(
            events(some, question.name).filter(({ properties = {} }) => Object.hasOwn(properties, question.property)),
            ({ properties = {} }) => properties[question.property] ?? '',
          );
        const old = of(before);
        const rows = [...of(now)]
          .map(([value, some]) => ({ value, count: some.length, previous: old.get(value)?.length ?? 0 }))
          .sort((a, b) => b.count - a.count || byText(a.value, b.value));
        return {
          total: sum(rows.map(({ count }) => count)),
          rows: question.limit > 0 ? rows.slice(0, question.limit) : rows,
        };
      }
      default:
        return explorePlainly(all, matching(filter), question);
    }
  }
  return answer;
}
