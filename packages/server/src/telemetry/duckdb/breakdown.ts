import { dimensions, type TelemetryQuery } from '../queries.ts';
import { DAY, isActive, limitTo, type QueryBuilder, reading } from './reading.ts';

type BreakdownQuery = TelemetryQuery<'breakdown'>;

/** SQL of each measure: distinct devices or sessions, or logs. */
const counting: Readonly<Record<BreakdownQuery['measure'], string>> = {
  devices: 'count(DISTINCT device)',
  sessions: 'count(DISTINCT session)',
  events: 'count(*)',
  crashes: 'count(*)',
};

export const breakdown: QueryBuilder<'breakdown'> = (query, parts) => {
  const { values, bind, matches, logs } = reading(query, parts);
  const { times, measure, event, by, bucketMs, limit } = query;
  const valueBy = (grouping: BreakdownQuery['by'][number]): string =>
    grouping === 'event'
      ? 'name'
      : typeof grouping === 'string'
        ? grouping
        : `coalesce(properties[${bind(grouping.property)}], 'unknown')`;
  const groups = by.map((grouping, at) => `${valueBy(grouping)} AS by_${at}`);
  const names = by.map((_, at) => `by_${at}`);
  const within = (column: string, { from, to } = times) => `${column} >= ${from} AND ${column} < ${to}`;
  const isEvent = `type = 'event' ${event === undefined ? '' : `AND name = ${bind(event)}`}`;
  // Each session at its start, or at its first log, with the device's dimensions at that time.
  const began = `(SELECT session, device, 'began' AS type, NULL AS name, unnest(start) FROM (
      SELECT session, device, arg_min({ts: ts, version: version, build: build, country: country, model: model, os: os,
        language: language, carrier: carrier}, (type <> 'startSession', ts, ${dimensions.join()})) AS start
      FROM ${logs} WHERE ${isActive} AND session IS NOT NULL AND ${within('ts', { ...times, from: times.from - DAY })}
      GROUP BY session, device))`;
  const [source, counted] =
    measure === 'crashes'
      ? [logs, `type = 'crash'`]
      : measure === 'events' || event !== undefined
        ? [logs, isEvent]
        : measure === 'devices'
          ? [logs, isActive]
          : [began, 'true'];
  const width = bucketMs > 0 ? bucketMs : times.to - times.from;
  const listed = ['', ...names].join(', ');
  const count = counting[measure];
  const sql = `WITH found AS MATERIALIZED (
      SELECT (ts - ${times.from}) // ${width} AS bucket, device, session ${['', ...groups].join(', ')} FROM ${source}
      WHERE ${counted} AND ${within('ts')} AND ${matches}),
    all_groups AS MATERIALIZED (SELECT ${count} AS total ${listed} FROM found GROUP BY ALL HAVING total > 0),
    top AS (SELECT *, row_number() OVER (ORDER BY total DESC ${listed}) AS place FROM all_groups ${limitTo(limit)}),
    ranked AS MATERIALIZED (FROM top ORDER BY place ${limitTo(limit)})
    SELECT 'row' AS what, place, bucket, ${count} AS count, any_value(total) AS total ${names.map((name) => `, any_value(${name}) AS ${name}`).join('')}
      FROM found JOIN ranked ${names.length > 0 ? `USING (${names.join()})` : 'ON true'} GROUP BY place, bucket
    UNION ALL SELECT 'bucket', NULL, bucket, ${count}, NULL ${names.map(() => ', NULL').join('')} FROM found GROUP BY bucket
    UNION ALL SELECT 'total', NULL, NULL, ${count}, NULL ${names.map(() => ', NULL').join('')} FROM found
    UNION ALL SELECT 'groups', NULL, NULL, count(*), NULL ${names.map(() => ', NULL').join('')} FROM all_groups`;
  return { sql, values };
};
