import type { FunnelStep } from '../queries.ts';
import {
  dated,
  dayExpression,
  hasProperty,
  hasSession,
  isActive,
  limitTo,
  plain,
  type QueryRunner,
  quoted,
  selectProperty,
  undated,
} from './reading.ts';

const isStep = ({ name, property }: FunnelStep): string => {
  const has = property
    ? ` AND ${hasProperty(property.name)} AND ${selectProperty(property.name)} = ${quoted(property.value)}`
    : '';
  return `(name = ${quoted(name)}${has})`;
};

/**
 * Evaluates one step after another: each time of a step has the latest start that reached it within the limit.
 * Later starts are never worse, so one is enough. They only increase, so the latest start before a time is the
 * sum of their increases up to it.
 */
export const funnel: QueryRunner<'funnel'> = async ({ range, steps, withinMs }, { logs, matches }, run) => {
  const conditions = steps.map(isStep);
  const last = steps.length - 1;
  const lists = (from: number) => steps.map((_, at) => at).slice(from);
  const times = conditions.map((condition, at) => `arraySort(groupArrayIf(ts, ${condition})) AS times_${at}`);
  const source = logs(`type = 'event' AND ${matches} AND (${conditions.join(' OR ')})`, range);
  let sql = `SELECT ${times.join()}, times_0 AS at, times_0 AS began, notEmpty(times_0) AS is_0
    FROM ${source} GROUP BY device`;
  for (const step of lists(1)) {
    const carriedColumns = [
      ...lists(step + 1).map((at) => `times_${at}`),
      ...lists(0)
        .slice(0, step)
        .map((at) => `is_${at}`),
    ];
    const carried = ['', ...carriedColumns].join(', ');
    const growth = `arrayMap((now, before) -> now - before, began, arrayPopBack(arrayPushFront(began, toInt64(0))))`;
    // At equal times, reached steps come first, because each step must be strictly later.
    const both = `arraySort(arrayConcat(arrayMap(t -> (t, toInt64(0), toInt64(0)), times_${step}),
      arrayMap((t, more) -> (t, toInt64(1), more), at, ${growth})))`;
    const reached = `arrayFilter((start, each) -> each.2 = 0, arrayCumSum(arrayMap(each -> each.3, both)), both)`;
    const inTime = `start > 0 AND t - start <= ${withinMs}`;
    sql = `SELECT arrayFilter((t, start) -> ${inTime}, times_${step}, reached) AS at,
        arrayFilter((start, t) -> ${inTime}, reached, times_${step}) AS began, notEmpty(at) AS is_${step} ${carried}
      FROM (SELECT times_${step}, ${reached} AS reached ${carried}
        FROM (SELECT times_${step}, ${both} AS both ${carried} FROM (${sql})))`;
  }
  const counts = lists(0).map((at) => `sum(is_${at}) AS devices_${at}`);
  const [found] = last < 0 ? [] : await run(`SELECT ${counts.join()} FROM (${sql})`);
  return steps.map((_, step) => plain({ step, devices: found?.[`devices_${step}`] ?? 0 }));
};

export const retention: QueryRunner<'retention'> = async ({ range, bucketDays, since }, { logs, matches }, run) => {
  const days = { from: Math.min(since, range.from), to: range.to };
  const bucket = (day: string) => `intDiv(${day} - ${range.from}, ${bucketDays})`;
  return (
    await run(`SELECT ${bucket('first')} AS cohort, bucket, count() AS devices FROM (
        SELECT days, days[1] AS first FROM (
          SELECT arraySort(groupUniqArray(${dayExpression})) AS days FROM ${logs(`${isActive} AND ${matches}`, days)} GROUP BY device)
        WHERE first >= ${range.from})
      ARRAY JOIN arrayDistinct(arrayMap(day -> ${bucket('day')}, days)) AS bucket GROUP BY cohort, bucket`)
  ).map(plain);
};

export const sessionPaths: QueryRunner<'sessionPaths'> = async (query, { logs, matches }, run) => {
  const { range, start, length, limit } = query;
  const source = logs(`type IN ('event', 'page') AND ${hasSession} AND name != '' AND ${matches}`, range);
  const named = `SELECT arrayMap(each -> ${undated('each')}, arraySort(groupArray(${dated('name')}))) AS names FROM ${source} GROUP BY session`;
  const steps = `SELECT arrayFilter((now, before) -> now != before, names, arrayPopBack(arrayPushFront(names, ''))) AS steps
    FROM (${named})`;
  const place = start === undefined ? '1' : `indexOf(steps, ${quoted(start)})`;
  // Sorted by their JSON, so that all engines show the same paths.
  const written = `concat('["', arrayStringConcat(arrayMap(name -> replaceAll(replaceAll(name, '\\\\', '\\\\\\\\'), '"', '\\\\"'), path), '","'), '"]')`;
  const paths = `SELECT arraySlice(steps, ${place}, ${length}) AS path, count() AS sessions FROM (${steps})
    WHERE ${place} > 0 GROUP BY path`;
  const rows = await run(`SELECT path, sessions FROM (${paths}) ORDER BY sessions DESC, ${written} ${limitTo(limit)}`);
  const totals = await run(`SELECT count() AS total, sum(sessions) AS sessions FROM (${paths})`);
  return [...rows.map((row) => ({ ...row, path: JSON.stringify(row.path) })), ...totals].map(plain);
};
