import { dimensions, type TelemetryQuery } from '../queries.ts';
import type { Row } from '../results.ts';
import {
  DATED_FROM,
  DAY,
  dated,
  hasProperty,
  hasSession,
  isActive,
  limitTo,
  plain,
  type QueryRunner,
  quoted,
  type Reading,
  selectProperty,
  tagged,
} from './reading.ts';

type BreakdownQuery = TelemetryQuery<'breakdown'>;

/** SQL of each measure: distinct devices or sessions, or logs. */
const counting: Readonly<Record<BreakdownQuery['measure'], string>> = {
  devices: 'uniqExact(device)',
  sessions: `uniqExactIf(session, ${hasSession})`,
  events: 'count()',
  crashes: 'count()',
};

const valueBy = (grouping: BreakdownQuery['by'][number]): string =>
  grouping === 'event'
    ? 'name'
    : typeof grouping === 'string'
      ? grouping
      : `if(${hasProperty(grouping.property)}, ${selectProperty(grouping.property)}, 'unknown')`;

/** Each session at its start, or at its first log, with the device's dimensions at that time. */
const began = ({ times, range }: BreakdownQuery, { logs }: Reading): string => {
  const columns = dimensions.map((name, at) => `start[${at + 2}] AS ${name}`).join();
  // Starts sort before all other logs. Values contain no NUL; see `cutText`.
  const sign = dated(`concat(${dimensions.map((name) => `'\\0', ${name}`).join()})`);
  const near = `ts >= ${times.from - DAY} AND ts < ${times.to}`;
  return `(SELECT session, device, toInt64(substring(start[1], 2)) - ${DATED_FROM} AS ts, ${columns} FROM (
    SELECT session, device, splitByChar('\\0', min(concat(if(type = 'startSession', 'a', 'b'), ${sign}))) AS start
    FROM ${logs(`${isActive} AND ${hasSession} AND ${near}`, { from: range.from - 1, to: range.to })}
    GROUP BY session, device))`;
};

/** The counted rows, with their bucket and groups. */
function foundBy(query: BreakdownQuery, read: Reading): string {
  const { times, range, measure, event, by, bucketMs } = query;
  const width = bucketMs > 0 ? bucketMs : times.to - times.from;
  const groups = by.map((grouping, at) => `, ${valueBy(grouping)} AS by_${at}`);
  const counts = `ts >= ${times.from} AND ts < ${times.to} AND ${read.matches}`;
  const isEvent = `type = 'event' ${event === undefined ? '' : `AND name = ${quoted(event)}`}`;
  const type =
    measure === 'crashes'
      ? `type = 'crash'`
      : measure === 'events' || event !== undefined
        ? isEvent
        : measure === 'devices'
          ? isActive
          : undefined;
  const source =
    type === undefined ? `${began(query, read)} WHERE ${counts}` : read.logs(`${type} AND ${counts}`, range);
  return `(SELECT intDiv(ts - ${times.from}, ${width}) AS bucket, device, session ${groups.join('')} FROM ${source})`;
}

export const breakdown: QueryRunner<'breakdown'> = async (query, read, run) => {
  const { by, limit, measure } = query;
  const found = foundBy(query, read);
  const count = counting[measure];
  const answer: Row[] = [
    ...tagged('total', await run(`SELECT ${count} AS count FROM ${found}`)),
    ...tagged('bucket', await run(`SELECT bucket, ${count} AS count FROM ${found} GROUP BY bucket`)),
  ];
  if (by.length === 0) return answer;
  const names = by.map((_, at) => `by_${at}`);
  const listed = names.join();
  const grouped = `SELECT ${listed}, ${count} AS total FROM ${found} GROUP BY ${listed} HAVING total > 0`;
  const top = await run(`${grouped} ORDER BY total DESC, ${listed} ${limitTo(limit)}`);
  const toKey = (row: (typeof top)[number]) => JSON.stringify(names.map((name) => row[name]));
  const places = new Map(top.map((row, place) => [toKey(row), { place, total: row.total ?? 0 }]));
  const isTop =
    top.length > 0
      ? `(${listed}) IN (${top.map((row) => `(${names.map((name) => quoted(String(row[name]))).join()})`).join()})`
      : '0';
  const rows = await run(
    `SELECT bucket, ${listed}, ${count} AS count FROM ${found} WHERE ${isTop} GROUP BY bucket, ${listed}`,
  );
  return [
    ...answer,
    ...tagged('groups', await run(`SELECT count() AS count FROM (${grouped})`)),
    ...tagged(
      'row',
      rows.map((row) => ({ ...row, ...places.get(toKey(row)) })),
    ),
  ].map((row) => plain(row as Parameters<typeof plain>[0]));
};
