import type { Part } from '../engine.ts';
import { durationBands, type EventOrder, getPreviousRange, type QueryName, type TelemetryQuery } from '../queries.ts';
import { audiences, customProperties, deviceValues } from './audiences.ts';
import { breakdown } from './breakdown.ts';
import { funnel, retention, sessionPaths } from './journeys.ts';
import { allLogs, logSearch, sessionLogs } from './log-search.ts';
import { DAY, limitTo, type QueryBuilder, reading, type SqlQuery } from './reading.ts';

/**
 * A device counts from an active day until its next one, at most for the width of the window. One pass serves all
 * widths.
 */
const activeDevices: QueryBuilder<'activeDevices'> = (query, parts) => {
  const { values, matches, within, devices } = reading(query, parts);
  const { range } = query;
  const ends = [7, 28].map(
    (
      width,
    ) => `SELECT ${width} AS width, least(day + ${width}, coalesce(next, day + ${width})) AS day, count(*) AS count
      FROM active GROUP BY ALL`,
  );
  const sql = `WITH active AS MATERIALIZED (
      SELECT day, lead(day) OVER (PARTITION BY device ORDER BY day) AS next
      FROM (SELECT DISTINCT device, day FROM ${devices}
        WHERE ${within('day', { from: range.from - 27, to: range.to })} AND ${matches}))
    SELECT 0 AS width, day, count(*) AS count FROM active GROUP BY ALL UNION ALL ${ends.join(' UNION ALL ')}`;
  return { sql, values };
};

/** Sessions of the days in the range: those that started there, and those without a start. */
const sessionsOn = ({ sessions, within, matches }: ReturnType<typeof reading>): string => `
  SELECT day, session, min(started_at) AS began FROM ${sessions}
  WHERE started_at IS NOT NULL AND ${within('day')} AND ${matches} GROUP BY ALL
  UNION ALL
  SELECT day, session, min(first) AS began FROM ${sessions} AS late
  WHERE started_at IS NULL AND ${within('day')} AND ${matches} AND NOT EXISTS (
    SELECT 1 FROM ${sessions} AS other WHERE other.session = late.session
      AND other.day BETWEEN late.day - 1 AND late.day AND (other.day < late.day OR other.started_at IS NOT NULL))
  GROUP BY ALL`;

const usage: QueryBuilder<'usage'> = (query, parts) => {
  const read = reading(query, parts);
  const { range, bucketDays } = query;
  const bucket = `(day - ${read.bind(range.from)}) // ${read.bind(bucketDays)}`;
  const sql = `SELECT 'devices' AS what, ${bucket} AS bucket, count(DISTINCT device) AS count FROM ${read.devices}
      WHERE ${read.within('day')} AND ${read.matches} GROUP BY ALL
    UNION ALL SELECT 'sessions', ${bucket}, count(*) FROM (${sessionsOn(read)}) GROUP BY ALL`;
  return { sql, values: read.values };
};

const sessionDurations: QueryBuilder<'sessionDurations'> = (query, parts) => {
  const read = reading(query, parts);
  const band = durationBands.map((seconds, at) => `WHEN ms < ${seconds * 1000} THEN ${at}`).join(' ');
  const sql = `WITH counted AS (${sessionsOn(read)}),
    lasting AS (
      SELECT greatest(0, least(${DAY}, max(seen.last) - min(began))) AS ms FROM counted
      JOIN ${read.sessions} AS seen ON seen.session = counted.session AND seen.day BETWEEN counted.day AND counted.day + 1
      GROUP BY counted.session, counted.day HAVING sum(seen.logs) > 1)
    SELECT CASE ${band} ELSE ${durationBands.length} END AS band, count(*) AS count, sum(ms) AS ms FROM lasting GROUP BY ALL`;
  return { sql, values: read.values };
};

const devicesBy: QueryBuilder<'devicesBy'> = (query, parts) => {
  const { values, matches, within, devices } = reading(query, parts);
  const { range, dimension, limit } = query;
  const isNow = `day >= ${range.from}`;
  const source = `${devices} WHERE ${within('day', { from: getPreviousRange(range).from, to: range.to })} AND ${matches}`;
  const sql = `WITH active AS MATERIALIZED (SELECT DISTINCT ${dimension} AS value, device, ${isNow} AS is_now FROM ${source}),
    counts AS (
      SELECT value, count(*) FILTER (is_now) AS count, count(*) FILTER (NOT is_now) AS previous FROM active GROUP BY value)
    SELECT value, count, previous, NULL AS total FROM (
      FROM counts WHERE count > 0 ORDER BY count DESC, value ${limitTo(limit)})
    UNION ALL SELECT NULL, NULL, NULL, count(DISTINCT device) FILTER (is_now) FROM active`;
  return { sql, values };
};

const orderColumns: Readonly<Record<EventOrder, string>> = {
  name: 'name',
  count: 'count',
  previousCount: 'previous_count',
  devices: 'devices',
  previousDevices: 'previous_devices',
  countPerDevice: 'count / devices',
  countPerSession: 'coalesce(count / nullif(sessions, 0), 0)',
};

/** Orders that need no device counts. */
const plainOrders: ReadonlySet<EventOrder> = new Set(['name', 'count', 'previousCount']);

/**
 * Counts events first, which is fast, then distinct devices and sessions only for the names of the page. Reading twice
 * is cheaper than keeping the rows in memory.
 */
const events: QueryBuilder<'events'> = (query, parts) => {
  const { values, matches, within, among, selectLogs, devices } = reading(query, parts);
  const { range, names, order, isDescending, skip, limit } = query;
  const named = names.length > 0 ? among('name', names) : 'true';
  const where = `WHERE type = 'event' AND ${named} AND ${matches}`;
  const now = (columns: string) => `SELECT ${columns}, true AS is_now FROM ${selectLogs(range)} ${where}`;
  const before = (columns: string) =>
    `SELECT ${columns}, false AS is_now FROM ${selectLogs(getPreviousRange(range))} ${where}`;
  const by = `${orderColumns[order]} ${isDescending ? 'DESC' : 'ASC'}, name`;
  const isShown = 'name IN (SELECT name FROM shown)';
  const sql = `WITH counts AS MATERIALIZED (
      SELECT name, count(*) FILTER (is_now) AS count, count(*) FILTER (NOT is_now) AS previous_count
      FROM (${now('name')} UNION ALL ${before('name')}) GROUP BY name HAVING count > 0),
    shown AS MATERIALIZED (FROM counts ${plainOrders.has(order) ? `ORDER BY ${by} ${limitTo(limit, skip)}` : ''}),
    on_devices AS (
      SELECT name, count(*) FILTER (is_now) AS devices, count(*) FILTER (NOT is_now) AS previous_devices
      FROM (SELECT DISTINCT * FROM (${now('name, device')} AND ${isShown} UNION ALL ${before('name, device')} AND ${isShown}))
      GROUP BY name),
    in_sessions AS (SELECT name, count(*) AS sessions FROM (
      SELECT DISTINCT * FROM (${now('name, session')} AND session IS NOT NULL AND ${isShown})) GROUP BY name),
    page AS (
      SELECT shown.*, devices, previous_devices, coalesce(sessions, 0) AS sessions, row_number() OVER (ORDER BY ${by}) AS position
      FROM shown JOIN on_devices USING (name) LEFT JOIN in_sessions USING (name)
      ORDER BY position ${plainOrders.has(order) ? '' : limitTo(limit, skip)}),
    totals AS (SELECT (SELECT count(*) FROM counts) AS total, (SELECT count(DISTINCT device) FROM ${devices}
      WHERE ${within('day')} AND ${matches}) AS total_devices)
    SELECT page.*, totals.* FROM totals LEFT JOIN page ON true ORDER BY position`;
  return { sql, values };
};

const eventByDay: QueryBuilder<'eventByDay'> = (query, parts) => {
  const { values, matches, within, bind, logs, devices } = reading(query, parts);
  const { range, name } = query;
  const counts = 'count(*) AS count, count(DISTINCT device) AS devices, count(DISTINCT session) AS sessions';
  const sql = `WITH found AS MATERIALIZED (
      SELECT (ts // ${DAY})::INTEGER AS day, device, session FROM ${logs}
      WHERE type = 'event' AND name = ${bind(name)} AND ${matches}
        AND ts >= ${getPreviousRange(range).from * DAY} AND ts < ${(range.to + 1) * DAY})
    SELECT 'day' AS what, day, ${counts} FROM found WHERE day >= ${range.from} GROUP BY day
    UNION ALL SELECT 'total', 0, ${counts} FROM found WHERE day >= ${range.from}
    UNION ALL SELECT 'previous', 0, ${counts} FROM found WHERE day < ${range.from}
    UNION ALL SELECT 'active', 0, 0, count(DISTINCT device), 0 FROM ${devices} WHERE ${within('day')} AND ${matches}`;
  return { sql, values };
};

const eventProperties: QueryBuilder<'eventProperties'> = (query, parts) => {
  const { values, matches, bind, logs } = reading(query, parts);
  const { range, name } = query;
  const sql = `SELECT DISTINCT unnest(map_keys(properties)) AS property FROM ${logs}
    WHERE type = 'event' AND name = ${bind(name)} AND ${matches} AND ts >= ${range.from * DAY} AND ts < ${(range.to + 1) * DAY}`;
  return { sql, values };
};

const propertyValues: QueryBuilder<'propertyValues'> = (query, parts) => {
  const { values, matches, bind, selectLogs } = reading(query, parts);
  const { range, name, property, limit } = query;
  const value = `properties[${bind(property)}] AS value`;
  const where = `WHERE type = 'event' AND name = ${bind(name)} AND ${matches}`;
  const sql = `WITH found AS (
      SELECT ${value}, true AS is_now FROM ${selectLogs(range)} ${where}
      UNION ALL SELECT ${value}, false FROM ${selectLogs(getPreviousRange(range))} ${where}),
    counts AS MATERIALIZED (
      SELECT value, count(*) FILTER (is_now) AS count, count(*) FILTER (NOT is_now) AS previous FROM found
      WHERE value IS NOT NULL GROUP BY value)
    SELECT value, count, previous, NULL AS total FROM (
      FROM counts WHERE count > 0 ORDER BY count DESC, value ${limitTo(limit)})
    UNION ALL SELECT NULL, NULL, NULL, coalesce(sum(count), 0) FROM counts`;
  return { sql, values };
};

const crashes: QueryBuilder<'crashes'> = (query, parts) => {
  const { values, matches, within, logs, devices } = reading(query, parts);
  const { range } = query;
  const counts = `count(*) FILTER (is_crash) AS count, count(DISTINCT device) FILTER (is_crash) AS devices,
    count(DISTINCT device) AS active`;
  const sql = `WITH seen AS MATERIALIZED (
      SELECT (ts // ${DAY})::INTEGER AS day, device, true AS is_crash FROM ${logs}
      WHERE type = 'crash' AND ${matches} AND ts >= ${range.from * DAY} AND ts < ${(range.to + 1) * DAY}
      UNION ALL SELECT day, device, false FROM ${devices} WHERE ${within('day')} AND ${matches})
    SELECT 'day' AS what, day, ${counts} FROM seen GROUP BY day UNION ALL SELECT 'total', 0, ${counts} FROM seen`;
  return { sql, values };
};

const queryBuilders: { [N in QueryName]: QueryBuilder<N> } = {
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

export const buildQuery = <N extends QueryName>(query: TelemetryQuery<N>, parts: readonly Part[]): SqlQuery =>
  queryBuilders[query.kind as N](query, parts);
