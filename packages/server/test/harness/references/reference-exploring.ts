import type { FilterOperator } from '../../../src/kernel/filter/filter-ast.ts';
import type { DeviceFilter, FoundLog, QueryResult, TelemetryQuery } from '../../../src/telemetry/index.ts';
import { dimensionReaders, isActive, type PlainLog, toDay } from './reference-log.ts';

const DAY = 86_400_000;
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const distinct = (values: Iterable<unknown>): number => new Set(values).size;
const session = (log: PlainLog): string => `${log.install} ${log.sid}`;

const deviceValue: Record<string, (log: PlainLog) => string> = {
  version: dimensionReaders.version,
  country: dimensionReaders.country,
  carrier: dimensionReaders.carrier,
  language: dimensionReaders.language,
  model: dimensionReaders.model,
  oem: ({ oem }) => oem ?? 'unknown',
  osVersion: ({ os }) => os[1],
  screen: ({ screen }) => screen ?? 'unknown',
  apiLevel: ({ api }) => (api === undefined ? 'unknown' : String(api)),
};

/** Compares versions such as 1.10 by number; other text comes last. */
function compareVersions(a: string, b: string): number {
  const numbers = (text: string) => (/^\d+(\.\d+)*$/.test(text) ? text.split('.').map(Number) : undefined);
  const [left, right] = [numbers(a), numbers(b)];
  if (!left || !right) return Number(!left) - Number(!right) || byText(a, b);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const holds = (order: number, operator: FilterOperator): boolean =>
  ({ eq: order === 0, ne: order !== 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 })[operator];

/** The last of some logs; the greater value if two have the same time. */
function latest<T>(logs: readonly PlainLog[], value: (log: PlainLog) => T): T | undefined {
  const last = Math.max(...logs.map(({ at }) => at));
  const values = logs.filter(({ at }) => at === last).map(value);
  return values.sort((a, b) => byText(String(b), String(a)))[0];
}

type Custom = NonNullable<PlainLog['custom']>[number];

function matchesDevice(node: DeviceFilter, logs: readonly PlainLog[]): boolean {
  if (node.kind === 'not') return !matchesDevice(node.node, logs);
  if (node.kind !== 'compare') {
    const isTrue = (each: DeviceFilter) => matchesDevice(each, logs);
    return node.kind === 'and' ? node.nodes.every(isTrue) : node.nodes.some(isTrue);
  }
  const { property, operator, value } = node;
  if (!property.startsWith('custom:')) {
    const known = latest(logs.filter(isActive), deviceValue[property] as (log: PlainLog) => string) ?? '';
    if (property === 'apiLevel') {
      return known === 'unknown' ? operator === 'ne' : holds(Number(known) - Number(value), operator);
    }
    if (operator === 'eq' || operator === 'ne') return holds(byText(known, String(value)), operator);
    return known !== 'unknown' && holds(compareVersions(known, String(value)), operator);
  }
  const [, type, name] = property.split(':');
  const withProperty = logs.filter(({ custom = [] }) => custom.some((each) => each.name === name));
  const latestValues = latest(withProperty, ({ custom = [] }) =>
    JSON.stringify(custom.find((each) => each.name === name)),
  );
  const found = latestValues === undefined ? undefined : (JSON.parse(latestValues) as Custom);
  if (found?.value === undefined || found.type !== type) return operator === 'ne';
  return holds(
    typeof value === 'number' ? Number(found.value) - value : byText(String(found.value), String(value)),
    operator,
  );
}

const toFound = (log: PlainLog): Omit<FoundLog, 'session'> => ({
  type: log.type,
  at: log.at,
  install: log.install,
  name: log.name,
  user: log.user,
  device: {
    version: log.version,
    build: log.build,
    country: dimensionReaders.country(log),
    model: log.model,
    os: dimensionReaders.os(log),
    language: dimensionReaders.language(log),
    carrier: dimensionReaders.carrier(log),
    oem: log.oem ?? 'unknown',
    screen: log.screen ?? 'unknown',
    api: log.api === undefined ? 'unknown' : String(log.api),
  },
  properties: log.properties ?? {},
});

/** The second half of `countPlainly`. */
export function explorePlainly(
  all: readonly PlainLog[],
  matches: (log: PlainLog) => boolean,
  question: TelemetryQuery,
): QueryResult<TelemetryQuery['kind']> {
  const { range } = question;
  const logs = all.filter(matches);
  const now = logs.filter((log) => toDay(log) >= range.from && toDay(log) <= range.to);
  switch (question.kind) {
    case 'audiences': {
      const devices = Map.groupBy(now, ({ install }) => install);
      const active = [...devices.values()].filter((some) => some.some(isActive));
      return {
        total: active.length,
        counts: question.audiences.map((node) => active.filter((some) => matchesDevice(node, some)).length),
      };
    }
    case 'deviceValues': {
      const value = deviceValue[question.property] as (log: PlainLog) => string;
      const found = [...new Set(now.filter(isActive).map(value))].filter(
        (text) => text !== 'unknown' && text.toLowerCase().includes(question.contains.toLowerCase()),
      );
      return found.sort(byText).slice(0, question.limit || undefined);
    }
    case 'customProperties': {
      const latestValues = now.flatMap(({ at, custom = [] }) => custom.map((each) => ({ at, ...each })));
      const types = latestValues
        .filter(({ type }) => type !== 'clear')
        .sort((a, b) => a.at - b.at || byText(a.type, b.type));
      return [...new Map(types.map(({ name, type }) => [name, type]))]
        .map(([name, type]) => ({ name, type: type as 'string' }))
        .sort((a, b) => byText(a.name, b.name));
    }
    case 'breakdown': {
      const { times, measure, event, by, bucketMs, limit } = question;
      const within = ({ at }: PlainLog) => at >= times.from && at < times.to;
      const began = () => {
        const seen = all.filter((log) => isActive(log) && log.sid !== undefined);
        const near = seen.filter(({ at }) => at >= times.from - DAY && at < times.to);
        const listValues = (log: PlainLog) => Object.values(dimensionReaders).map((value) => value(log));
        const begins = (a: PlainLog, b: PlainLog) =>
          Number(a.type !== 'startSession') - Number(b.type !== 'startSession') ||
          a.at - b.at ||
          byText(listValues(a).join('\n'), listValues(b).join('\n'));
        return [...Map.groupBy(near, session).values()]
          .flatMap((some) => some.toSorted(begins).slice(0, 1))
          .filter(matches);
      };
      const isEvent = (log: PlainLog) => log.type === 'event' && (event === undefined || log.name === event);
      const counted = (
        measure === 'crashes'
          ? logs.filter(({ type }) => type === 'managedError')
          : measure === 'events' || event !== undefined
            ? logs.filter(isEvent)
            : measure === 'devices'
              ? logs.filter(isActive)
              : began()
      ).filter(within);
      const count = (some: readonly PlainLog[]) =>
        measure === 'devices'
          ? distinct(some.map(({ install }) => install))
          : measure === 'sessions'
            ? distinct(some.filter(({ sid }) => sid !== undefined).map(session))
            : some.length;
      const width = bucketMs > 0 ? bucketMs : times.to - times.from;
      const length = Math.max(1, Math.ceil((times.to - times.from) / width));
      const series = (some: readonly PlainLog[]) =>
        Array.from({ length }, (_, bucket) =>
          count(some.filter(({ at }) => Math.floor((at - times.from) / width) === bucket)),
        );
      const valuesBy = (log: PlainLog) =>
        by.map((each) =>
          each === 'event'
            ? String(log.name)
            : typeof each === 'string'
              ? dimensionReaders[each](log)
              : log.properties && Object.hasOwn(log.properties, each.property)
                ? String(log.properties[each.property])
                : 'unknown',
        );
      const rows = [...Map.groupBy(by.length > 0 ? counted : [], (log) => JSON.stringify(valuesBy(log)))]
        .map(([key, some]) => ({ values: JSON.parse(key) as string[], total: count(some), counts: series(some) }))
        .filter(({ total }) => total > 0)
        .sort(
          (a, b) =>
            b.total - a.total ||
            byText(a.values[0] ?? '', b.values[0] ?? '') ||
            byText(a.values[1] ?? '', b.values[1] ?? ''),
        );
      return {
        total: count(counted),
        counts: series(counted),
        groups: rows.length,
        rows: rows.slice(0, limit || undefined),
      };
    }
    case 'funnel': {
      const { steps, withinMs } = question;
      const isStep = (log: PlainLog, at: number) => {
        const { name, property } = steps[at] ?? { name: '' };
        const value = property && log.properties ? log.properties[property.name] : undefined;
        return log.type === 'event' && log.name === name && (!property || value === property.value);
      };
      /** Tries every sequence. */
      const reach = (some: PlainLog[], at: number, after: number, until: number): number =>
        some
          .filter((log) => log.at > after && log.at <= until && isStep(log, at))
          .reduce(
            (best, log) => Math.max(best, 1 + reach(some, at + 1, log.at, at === 0 ? log.at + withinMs : until)),
            0,
          );
      const reached = [...Map.groupBy(now, ({ install }) => install).values()].map((some) =>
        reach(some, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      );
      return steps.map((_, at) => reached.filter((best) => best > at).length);
    }
    case 'retention': {
      const { bucketDays, since } = question;
      const toBucket = (day: number) => Math.floor((day - range.from) / bucketDays);
      const length = Math.ceil((range.to - range.from + 1) / bucketDays);
      const cohorts = Array.from({ length }, (_, at) => Array.from({ length: length - at }, () => 0));
      const seen = logs.filter(
        (log) => isActive(log) && toDay(log) >= Math.min(since, range.from) && toDay(log) <= range.to,
      );
      for (const some of Map.groupBy(seen, ({ install }) => install).values()) {
        const days = some.map(toDay);
        const first = Math.min(...days);
        const counts = cohorts[toBucket(first)];
        if (first < range.from || !counts) continue;
        for (const bucket of new Set(days.map(toBucket))) {
          const at = bucket - toBucket(first);
          counts[at] = (counts[at] ?? 0) + 1;
        }
      }
      return cohorts;
    }
    case 'sessionPaths': {
      const { start, length, limit } = question;
      const named = now.filter(
        ({ type, sid, name }) => (type === 'event' || type === 'page') && sid !== undefined && name,
      );
      const paths = [...Map.groupBy(named, session).values()].flatMap((some) => {
        const names = some
          .sort((a, b) => a.at - b.at || byText(a.name ?? '', b.name ?? ''))
          .map(({ name = '' }) => name)
          .filter((name, at, all) => name !== all[at - 1]);
        const from = start === undefined ? 0 : names.indexOf(start);
        return from === -1 ? [] : [JSON.stringify(names.slice(from, from + length))];
      });
      const rows = [...Map.groupBy(paths, (path) => path)].map(([path, some]) => ({ path, sessions: some.length }));
      rows.sort((a, b) => b.sessions - a.sessions || byText(a.path, b.path));
      return {
        sessions: paths.length,
        paths: rows.length,
        rows: rows
          .slice(0, limit || undefined)
          .map(({ path, sessions }) => ({ names: JSON.parse(path) as string[], sessions })),
      };
    }
    case 'logSearch': {
      const { times, name, install, user, property, skip, limit } = question;
      const found = logs.filter(
        (log) =>
          (log.type === 'event' || log.type === 'page') &&
          log.at >= times.from &&
          log.at < times.to &&
          (name === undefined || log.name === name) &&
          (install === undefined || log.install === install) &&
          (user === undefined || log.user === user) &&
          (property === undefined ||
            (log.properties !== undefined &&
              Object.hasOwn(log.properties, property.name) &&
              (property.value === undefined || log.properties[property.name] === property.value))),
      );
      found.sort((a, b) => b.at - a.at || byText(a.install, b.install) || byText(a.name ?? '', b.name ?? ''));
      return found.slice(skip, skip + limit).map((log) => ({ ...toFound(log), session: undefined }));
    }
    default:
      throw new Error(`plain code does not answer ${question.kind}`);
  }
}
