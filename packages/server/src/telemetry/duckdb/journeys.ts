import { DAY, limitTo, type QueryBuilder, reading } from './reading.ts';

const ofDays = ({ from, to }: { from: number; to: number }): string => `ts >= ${from * DAY} AND ts < ${(to + 1) * DAY}`;

/**
 * Evaluates one step after another: each log of a step has the latest start that reached it within the limit.
 * Later starts are never worse, so one is enough.
 */
export const funnel: QueryBuilder<'funnel'> = (query, parts) => {
  const { values, bind, matches, logs } = reading(query, parts);
  const { range, steps, withinMs } = query;
  const isStep = steps.map(({ name, property }) => {
    const has = property ? `AND properties[${bind(property.name)}] = ${bind(property.value)}` : '';
    return `(type = 'event' AND name = ${bind(name)} ${has})`;
  });
  const levels = steps.map((_, at) => {
    if (at === 0)
      return `s0 AS (SELECT device, ts, CASE WHEN is_0 THEN ts END AS began, * EXCLUDE (device, ts) FROM found)`;
    return `s${at} AS (SELECT * REPLACE (CASE WHEN is_${at} AND ts - reached <= ${withinMs} THEN reached END AS began) FROM (
      SELECT *, max(began) OVER (PARTITION BY device ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
      FROM (SELECT * EXCLUDE (${at > 1 ? 'reached' : 'nothing'}) FROM s${at - 1})))`;
  });
  const sql = `WITH found AS MATERIALIZED (
      SELECT device, ts, ${isStep.map((is, at) => `coalesce(${is}, false) AS is_${at}`).join()}, NULL AS nothing FROM ${logs}
      WHERE type = 'event' AND ${matches} AND ${ofDays(range)} AND (${isStep.join(' OR ')})),
    ${levels.join(', ')}
    ${steps.map((_, at) => `SELECT ${at} AS step, count(DISTINCT device) AS devices FROM s${at} WHERE began IS NOT NULL`).join(' UNION ALL ')}`;
  return { sql, values };
};

export const retention: QueryBuilder<'retention'> = (query, parts) => {
  const { values, within, matches, devices } = reading(query, parts);
  const { range, bucketDays, since } = query;
  const bucket = (day: string) => `(${day} - ${range.from}) // ${bucketDays}`;
  const sql = `WITH active AS MATERIALIZED (SELECT DISTINCT device, day FROM ${devices}
      WHERE ${within('day', { from: Math.min(since, range.from), to: range.to })} AND ${matches}),
    firsts AS (SELECT device, min(day) AS first FROM active GROUP BY device HAVING first >= ${range.from})
    SELECT ${bucket('first')} AS cohort, ${bucket('day')} AS bucket, count(DISTINCT device) AS devices
    FROM firsts JOIN active USING (device) GROUP BY ALL`;
  return { sql, values };
};

export const sessionPaths: QueryBuilder<'sessionPaths'> = (query, parts) => {
  const { values, bind, matches, logs } = reading(query, parts);
  const { range, start, length, limit } = query;
  const named = `SELECT session, list(name ORDER BY ts, name) AS names FROM ${logs}
    WHERE type IN ('event', 'page') AND session IS NOT NULL AND name <> '' AND ${matches} AND ${ofDays(range)} GROUP BY session`;
  const place = start === undefined ? '1' : `list_position(names, ${bind(start)})`;
  const steps = `SELECT list_filter(names, lambda name, place: place = 1 OR name <> names[place - 1]) AS names FROM (${named})`;
  const sql = `WITH steps AS (${steps}), placed AS (SELECT names, ${place} AS place FROM steps),
    paths AS MATERIALIZED (SELECT to_json(names[place:place + ${length - 1}])::VARCHAR AS path, count(*) AS sessions FROM placed
      WHERE place > 0 GROUP BY path)
    SELECT path, sessions, NULL AS total FROM (FROM paths ORDER BY sessions DESC, path ${limitTo(limit)})
    UNION ALL SELECT NULL, coalesce(sum(sessions), 0), count(*) FROM paths`;
  return { sql, values };
};
