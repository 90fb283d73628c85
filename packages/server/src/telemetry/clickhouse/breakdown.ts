import type { Row } from '../answers.ts';
import { dimensions, type Question } from '../questions.ts';
import {
  type Asker,
  DATED_FROM,
  DAY,
  dated,
  hasProperty,
  hasSession,
  isActive,
  limitTo,
  plain,
  propertyOf,
  quoted,
  type Reading,
  tagged,
} from './reading.ts';

type Asked = Question<'breakdown'>;

/** What each measure counts: distinct devices or sessions, or logs. */
const counting: Readonly<Record<Asked['measure'], string>> = {
  devices: 'uniqExact(device)',
  sessions: `uniqExactIf(session, ${hasSession})`,
  events: 'count()',
  crashes: 'count()',
};

const valueBy = (grouping: Asked['by'][number]): string =>
  grouping === 'event'
    ? 'name'
    : typeof grouping === 'string'
      ? grouping
      : `if(${hasProperty(grouping.property)}, ${propertyOf(grouping.property)}, 'unknown')`;

/** A session without an event of its own is where it began, with what its device told then. */
const began = ({ times, range }: Asked, { logs }: Reading): string => {
  const said = dimensions.map((name, at) => `start[${at + 2}] AS ${name}`).join();
  // A start is before everything else. No value has a NUL in it, see `cutText`.
  const sign = dated(`concat(${dimensions.map((name) => `'\\0', ${name}`).join()})`);
  const near = `ts >= ${times.from - DAY} AND ts < ${times.to}`;
  return `(SELECT session, device, toInt64(substring(start[1], 2)) - ${DATED_FROM} AS ts, ${said} FROM (
    SELECT session, device, splitByChar('\\0', min(concat(if(type = 'startSession', 'a', 'b'), ${sign}))) AS start
    FROM ${logs(`${isActive} AND ${hasSession} AND ${near}`, { from: range.from - 1, to: range.to })}
    GROUP BY session, device))`;
};

/** What is counted, with its bucket and its groups. */
function foundBy(question: Asked, read: Reading): string {
  const { times, range, measure, event, by, bucketMs } = question;
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
    type === undefined ? `${began(question, read)} WHERE ${counts}` : read.logs(`${type} AND ${counts}`, range);
  return `(SELECT intDiv(ts - ${times.from}, ${width}) AS bucket, device, session ${groups.join('')} FROM ${source})`;
}

export const breakdown: Asker<'breakdown'> = async (question, read, run) => {
  const { by, limit, measure } = question;
  const found = foundBy(question, read);
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
  const keyOf = (row: (typeof top)[number]) => JSON.stringify(names.map((name) => row[name]));
  const places = new Map(top.map((row, place) => [keyOf(row), { place, total: row.total ?? 0 }]));
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
      rows.map((row) => ({ ...row, ...places.get(keyOf(row)) })),
    ),
  ].map((row) => plain(row as Parameters<typeof plain>[0]));
};
