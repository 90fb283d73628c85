import { durationBands, type EventOrder, getPreviousRange, type QueryName, type TelemetryQuery } from '../queries.ts';
import type { Row } from '../results.ts';
import { audiences, customProperties, deviceValues } from './audiences.ts';
import { breakdown } from './breakdown.ts';
import { funnel, retention, sessionPaths } from './journeys.ts';
import { allLogs, logSearch, sessionLogs } from './log-search.ts';
import {
  among,
  DAY,
  dayExpression,
  hasProperty,
  hasSession,
  isActive,
  limitTo,
  plain,
  type QueryRunner,
  quoted,
  type Reading,
  type Run,
  selectProperty,
  tagged,
} from './reading.ts';

/**
 * A device counts from an active day until its next one, at most for the width of the window. One pass serves all
 * widths.
 */
const activeDevices: QueryRunner<'activeDevices'> = async ({ range }, { logs, matches }, run) => {
  const ends = [7, 28].map(
    (width) =>
      `arrayMap((day, next) -> (toInt32(${width}), toInt32(least(day + ${width}, next))), days,
        arrayPopFront(arrayPushBack(days, toInt32(1000000000))))`,
  );
  return (
    await run(`SELECT change.1 AS width, change.2 AS day, count() AS count FROM (
        SELECT arrayJoin(arrayConcat(arrayMap(day -> (toInt32(0), day), days), ${ends.join()})) AS change FROM (
          SELECT arraySort(groupUniqArray(toInt32(${dayExpression}))) AS days
          FROM ${logs(`${isActive} AND ${matches}`, { from: range.from - 27, to: range.to })} GROUP BY device))
      GROUP BY width, day`)
  ).map(plain);
};

/**
 * Sessions with their days. State 2: the session started on that day and matches the filter. State 1: it was seen that
 * day without a start; it counts only if it was not seen on the day before.
 */
const selectSessions = ({ logs, matches }: Reading, days: { from: number; to: number }): string => `
  SELECT groupArray(day) AS days, groupArray(state) AS states, groupArray(began) AS begans, groupArray(last) AS lasts,
    groupArray(logs) AS counts FROM (
    SELECT session, ${dayExpression} AS day, countIf(type = 'startSession' AND ${matches}) AS begun,
      multiIf(begun > 0, 2, countIf(type = 'startSession') = 0 AND countIf(${matches}) > 0, 1, 0) AS state,
      if(begun > 0, minIf(ts, type = 'startSession' AND ${matches}), minIf(ts, ${matches})) AS began,
      max(ts) AS last, count() AS logs
    FROM ${logs(`${isActive} AND ${hasSession}`, days)} GROUP BY session, day)
  GROUP BY session`;

const isCounted = ({ from, to }: { from: number; to: number }): string =>
  `day >= ${from} AND day <= ${to} AND (state = 2 OR (state = 1 AND NOT has(days, day - 1)))`;

const usage: QueryRunner<'usage'> = async ({ range, bucketDays }, read, run) => {
  const bucket = (day: string) => `intDiv(${day} - ${range.from}, ${bucketDays}) AS bucket`;
  const devices = await run(`SELECT ${bucket(dayExpression)}, uniqExact(device) AS count
    FROM ${read.logs(`${isActive} AND ${read.matches}`, range)} GROUP BY bucket`);
  const sessions = await run(`SELECT ${bucket('day')}, count() AS count
    FROM (${selectSessions(read, { from: range.from - 1, to: range.to })}) ARRAY JOIN days AS day, states AS state
    WHERE ${isCounted(range)} GROUP BY bucket`);
  return [...tagged('devices', devices), ...tagged('sessions', sessions)];
};

const sessionDurations: QueryRunner<'sessionDurations'> = async ({ range }, read, run) => {
  const band = durationBands.map((seconds, at) => `lasted < ${seconds * 1000}, ${at}`).join();
  const following = (list: string) => `if(has(days, day + 1), ${list}[indexOf(days, day + 1)], 0)`;
  return (
    await run(`SELECT multiIf(${band}, ${durationBands.length}) AS band, count() AS count, sum(lasted) AS ms FROM (
        SELECT greatest(0, least(${DAY}, greatest(last, ${following('lasts')}) - began)) AS lasted
        FROM (${selectSessions(read, { from: range.from - 1, to: range.to + 1 })})
        ARRAY JOIN days AS day, states AS state, begans AS began, lasts AS last, counts AS logs
        WHERE ${isCounted(range)} AND logs + ${following('counts')} > 1)
      GROUP BY band`)
  ).map(plain);
};

/** The range and the previous one. */
const withPreviousRange = ({ from, to }: { from: number; to: number }) => ({
  from: getPreviousRange({ from, to }).from,
  to,
});
const isNow = (range: { from: number }): string => `ts >= ${range.from * DAY}`;
const isBefore = (range: { from: number }): string => `ts < ${range.from * DAY}`;

const countActive = async (range: { from: number; to: number }, { logs, matches }: Reading, run: Run) =>
  (await run(`SELECT uniqExact(device) AS devices FROM ${logs(`${isActive} AND ${matches}`, range)}`))[0]?.devices;

const devicesBy: QueryRunner<'devicesBy'> = async ({ range, dimension, limit }, read, run) => {
  const rows = await run(`SELECT ${dimension} AS value, uniqExactIf(device, ${isNow(range)}) AS count,
      uniqExactIf(device, ${isBefore(range)}) AS previous
    FROM ${read.logs(`${isActive} AND ${read.matches}`, withPreviousRange(range))}
    GROUP BY value HAVING count > 0 ORDER BY count DESC, value ${limitTo(limit)}`);
  return [...rows.map(plain), plain({ total: (await countActive(range, read, run)) ?? 0 })];
};

const orderColumns: Readonly<Record<EventOrder, string>> = {
  name: 'name',
  count: 'count',
  previousCount: 'previous_count',
  devices: 'devices',
  previousDevices: 'previous_devices',
  countPerDevice: 'count / devices',
  countPerSession: 'if(sessions = 0, 0, count / sessions)',
};

/** Orders that need no device counts. */
const plainOrders: ReadonlySet<EventOrder> = new Set(['name', 'count', 'previousCount']);

/** Counts events first, then distinct devices and sessions only for the names of the page. */
const events: QueryRunner<'events'> = async (query, read, run) => {
  const { range, names, order, isDescending, skip, limit } = query;
  const source = (named: string) =>
    read.logs(`type = 'event' AND ${named} AND ${read.matches}`, withPreviousRange(range));
  const nameFilter = names.length > 0 ? among('name', names) : '1';
  const page = `ORDER BY ${orderColumns[order]} ${isDescending ? 'DESC' : 'ASC'}, name ${limitTo(limit, skip)}`;
  const counts = `name, countIf(${isNow(range)}) AS count, countIf(${isBefore(range)}) AS previous_count`;
  const [found] = await run(`SELECT count() AS total FROM (SELECT ${counts} FROM ${source(nameFilter)} GROUP BY name
    HAVING count > 0)`);
  const isPlain = plainOrders.has(order);
  const shown = isPlain
    ? await run(`SELECT ${counts} FROM ${source(nameFilter)} GROUP BY name HAVING count > 0 ${page}`)
    : [];
  const matching = isPlain
    ? among(
        'name',
        shown.map(({ name }) => String(name)),
      )
    : nameFilter;
  const rows = await run(`SELECT ${counts}, uniqExactIf(device, ${isNow(range)}) AS devices,
      uniqExactIf(device, ${isBefore(range)}) AS previous_devices,
      uniqExactIf(session, ${isNow(range)} AND ${hasSession}) AS sessions
    FROM ${source(matching)} GROUP BY name HAVING count > 0
    ${isPlain ? page.replace(/LIMIT.*/, '') : page}`);
  const totals = { total: found?.total ?? 0, total_devices: (await countActive(range, read, run)) ?? 0 };
  return [totals, ...rows].map(plain);
};

const eventByDay: QueryRunner<'eventByDay'> = async ({ range, name }, read, run) => {
  const counts = `count() AS count, uniqExact(device) AS devices, uniqExactIf(session, ${hasSession}) AS sessions`;
  const source = (days: { from: number; to: number }) =>
    read.logs(`type = 'event' AND name = ${quoted(name)} AND ${read.matches}`, days);
  return [
    ...tagged('day', await run(`SELECT ${dayExpression} AS day, ${counts} FROM ${source(range)} GROUP BY day`)),
    ...tagged('total', await run(`SELECT ${counts} FROM ${source(range)}`)),
    ...tagged('previous', await run(`SELECT ${counts} FROM ${source(getPreviousRange(range))}`)),
    ...tagged('active', [{ devices: (await countActive(range, read, run)) ?? 0 }]),
  ];
};

const eventProperties: QueryRunner<'eventProperties'> = async ({ range, name }, { logs, matches }, run) =>
  (
    await run(`SELECT DISTINCT arrayJoin(property_names) AS property
      FROM ${logs(`type = 'event' AND name = ${quoted(name)} AND ${matches}`, range)}`)
  ).map(plain);

const propertyValues: QueryRunner<'propertyValues'> = async (
  { range, name, property, limit },
  { logs, matches },
  run,
) => {
  const has = `type = 'event' AND name = ${quoted(name)} AND ${hasProperty(property)} AND ${matches}`;
  const rows = await run(`SELECT ${selectProperty(property)} AS value, countIf(${isNow(range)}) AS count,
      countIf(${isBefore(range)}) AS previous
    FROM ${logs(has, withPreviousRange(range))} GROUP BY value HAVING count > 0 ORDER BY count DESC, value ${limitTo(limit)}`);
  const [all] = await run(`SELECT count() AS total FROM ${logs(has, range)}`);
  return [...rows.map(plain), plain({ total: all?.total ?? 0 })];
};

const crashes: QueryRunner<'crashes'> = async ({ range }, { logs, matches }, run) => {
  const counts = `countIf(type = 'crash') AS count, uniqExactIf(device, type = 'crash') AS devices,
    uniqExact(device) AS active`;
  const source = logs(`(${isActive} OR type = 'crash') AND ${matches}`, range);
  return [
    ...tagged('day', await run(`SELECT ${dayExpression} AS day, ${counts} FROM ${source} GROUP BY day`)),
    ...tagged('total', await run(`SELECT ${counts} FROM ${source}`)),
  ];
};

const queryRunners: { [N in QueryName]: QueryRunner<N> } = {
  activeDevices,
  usage,
  sessionDurations,
  devicesBy,
  events,
  eventByDay,
  eventProperties,
  propertyValues,
  crashes,
  audiences,
  customProperties,
  deviceValues,
  breakdown,
  funnel,
  retention,
  sessionPaths,
  logSearch,
  allLogs,
  sessionLogs,
};

export const findRows = <N extends QueryName>(query: TelemetryQuery<N>, read: Reading, run: Run): Promise<Row[]> =>
  queryRunners[query.kind as N](query, read, run);
