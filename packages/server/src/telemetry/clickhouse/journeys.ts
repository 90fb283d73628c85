import type { FunnelStep } from '../questions.ts';
import {
  type Asker,
  dated,
  dayOf,
  hasProperty,
  hasSession,
  isActive,
  limitTo,
  plain,
  propertyOf,
  quoted,
  undated,
} from './reading.ts';

const isStep = ({ name, property }: FunnelStep): string => {
  const has = property
    ? ` AND ${hasProperty(property.name)} AND ${propertyOf(property.name)} = ${quoted(property.value)}`
    : '';
  return `(name = ${quoted(name)}${has})`;
};

/**
 * Step by step: each time of a step carries the latest beginning from which it was reached in time. Later beginnings are never
 * worse, so one of them is enough; and they only grow, so that the sum of their growth before a time is the one to take.
 */
export const funnel: Asker<'funnel'> = async ({ range, steps, withinMs }, { logs, matches }, run) => {
  const conditions = steps.map(isStep);
  const last = steps.length - 1;
  const lists = (from: number) => steps.map((_, at) => at).slice(from);
  const times = conditions.map((condition, at) => `arraySort(groupArrayIf(ts, ${condition})) AS times_${at}`);
  const source = logs(`type = 'event' AND ${matches} AND (${conditions.join(' OR ')})`, range);
  let sql = `SELECT ${times.join()}, times_0 AS at, times_0 AS began, notEmpty(times_0) AS is_0
    FROM ${source} GROUP BY device`;
  for (const step of lists(1)) {
    const kept = [
      ...lists(step + 1).map((at) => `times_${at}`),
      ...lists(0)
        .slice(0, step)
        .map((at) => `is_${at}`),
    ];
    const carried = ['', ...kept].join(', ');
    const growth = `arrayMap((now, before) -> now - before, began, arrayPopBack(arrayPushFront(began, toInt64(0))))`;
    // At the same time what is reached comes first: each step is strictly later.
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

export const retention: Asker<'retention'> = async ({ range, bucketDays, since }, { logs, matches }, run) => {
  const days = { from: Math.min(since, range.from), to: range.to };
  const bucket = (day: string) => `intDiv(${day} - ${range.from}, ${bucketDays})`;
  return (
    await run(`SELECT ${bucket('first')} AS cohort, bucket, count() AS devices FROM (
        SELECT days, days[1] AS first FROM (
          SELECT arraySort(groupUniqArray(${dayOf})) AS days FROM ${logs(`${isActive} AND ${matches}`, days)} GROUP BY device)
        WHERE first >= ${range.from})
      ARRAY JOIN arrayDistinct(arrayMap(day -> ${bucket('day')}, days)) AS bucket GROUP BY cohort, bucket`)
  ).map(plain);
};

export const sessionPaths: Asker<'sessionPaths'> = async (question, { logs, matches }, run) => {
  const { range, start, length, limit } = question;
  const source = logs(`type IN ('event', 'page') AND ${hasSession} AND name != '' AND ${matches}`, range);
  const named = `SELECT arrayMap(each -> ${undated('each')}, arraySort(groupArray(${dated('name')}))) AS names FROM ${source} GROUP BY session`;
  const steps = `SELECT arrayFilter((now, before) -> now != before, names, arrayPopBack(arrayPushFront(names, ''))) AS steps
    FROM (${named})`;
  const place = start === undefined ? '1' : `indexOf(steps, ${quoted(start)})`;
  // In the order of their texts as JSON, so that the same are shown whatever counts them.
  const written = `concat('["', arrayStringConcat(arrayMap(name -> replaceAll(replaceAll(name, '\\\\', '\\\\\\\\'), '"', '\\\\"'), path), '","'), '"]')`;
  const paths = `SELECT arraySlice(steps, ${place}, ${length}) AS path, count() AS sessions FROM (${steps})
    WHERE ${place} > 0 GROUP BY path`;
  const rows = await run(`SELECT path, sessions FROM (${paths}) ORDER BY sessions DESC, ${written} ${limitTo(limit)}`);
  const totals = await run(`SELECT count() AS total, sum(sessions) AS sessions FROM (${paths})`);
  return [...rows.map((row) => ({ ...row, path: JSON.stringify(row.path) })), ...totals].map(plain);
};
