import type { Row } from '../results.ts';
import { toUuid } from '../rows.ts';
import type { FoundRow } from './client.ts';
import {
  hasProperty,
  limitTo,
  NO_SESSION,
  plain,
  type QueryRunner,
  quoted,
  selectProperty,
  shownColumns,
  uuid,
} from './reading.ts';

const named: ReadonlySet<unknown> = new Set(['event', 'page']);

function toRow({ property_names: names, property_values: values, ...row }: FoundRow): Row {
  const [keys, texts] = [names, values] as [string[], string[]];
  return plain({
    ...row,
    session: row.session === NO_SESSION ? null : (row.session ?? null),
    name: named.has(row.type) ? (row.name ?? null) : null,
    properties: JSON.stringify(Object.fromEntries(keys.map((key, at) => [key, texts[at]]))),
  });
}

/** Matches the session ID in responses, or the one of the device; `../duckdb/writing.ts` derives the former. */
const isSession = (session: string): string =>
  `(session = ${uuid(toUuid(session))} OR replaceAll(toString(session), '-', '') =
    lower(hex(MD5(concat(toString(device), '\\n', ${quoted(session.toLowerCase())})))))`;

const ordered = 'toString(device), name, toString(session), property_names, property_values';

export const logSearch: QueryRunner<'logSearch'> = async (query, { logs, matches }, run) => {
  const { times, range, name, install, user, session, property, skip, limit } = query;
  const conditions = [
    `type IN ('event', 'page') AND ts >= ${times.from} AND ts < ${times.to} AND ${matches}`,
    ...(name === undefined ? [] : [`name = ${quoted(name)}`]),
    ...(install === undefined ? [] : [`device = ${uuid(toUuid(install))}`]),
    ...(user === undefined ? [] : [`user = ${quoted(user)}`]),
    ...(session === undefined ? [] : [isSession(session)]),
    ...(property === undefined ? [] : [hasProperty(property.name)]),
    ...(property?.value === undefined ? [] : [`${selectProperty(property.name)} = ${quoted(property.value)}`]),
  ];
  const rows = await run(`SELECT ${shownColumns} FROM ${logs(conditions.join(' AND '), range)}
    ORDER BY ts DESC, ${ordered} ${limitTo(limit, skip)}`);
  return rows.map(toRow);
};

export const allLogs: QueryRunner<'allLogs'> = async ({ times, range, subject, skip, limit }, { logs }, run) => {
  const isTheirs =
    subject === undefined
      ? `type != 'sessionEnd'`
      : subject.kind === 'install'
        ? `device = ${uuid(toUuid(subject.value))}`
        : `user = ${quoted(subject.value)}`;
  const counts = `type NOT IN ('forgotten', 'crash') AND ts >= ${times.from} AND ts < ${times.to} AND ${isTheirs}`;
  const rows = await run(`SELECT ${shownColumns} FROM ${logs(counts, range)}
    ORDER BY ts, toString(device), type, name, toString(session), property_names, property_values ${limitTo(limit, skip)}`);
  return rows.map(toRow);
};

/** Logs of a session, by the session ID of the device. */
export const sessionLogs: QueryRunner<'sessionLogs'> = async (
  { range, install, session, until, limit },
  { logs },
  run,
) => {
  const device = toUuid(install);
  const known = toUuid(`${device}\n${session.toLowerCase()}`);
  const rows = await run(
    `SELECT ${shownColumns} FROM ${logs(
      `type NOT IN ('forgotten', 'sessionEnd') AND ts <= ${until} AND device = ${uuid(device)} AND session = ${uuid(known)}`,
      range,
    )} ORDER BY ts DESC, type, ${ordered} ${limitTo(limit)}`,
  );
  return rows.map(toRow);
};
