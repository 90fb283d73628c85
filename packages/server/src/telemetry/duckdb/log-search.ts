import { deviceColumns } from '../results.ts';
import { toUuid } from '../rows.ts';
import { limitTo, type QueryBuilder, reading } from './reading.ts';

const shown = `type, ts, device, session, name, "user", ${deviceColumns.join()}, to_json(properties)::VARCHAR AS properties`;

/** Matches the session ID in responses, or the one of the device; `writing.ts` derives the former. */
const isSession = (bind: (value: string) => string, session: string): string =>
  `(session = ${bind(toUuid(session))}::UUID OR session = md5(concat_ws(chr(10), device, ${bind(session.toLowerCase())}))::UUID)`;

export const logSearch: QueryBuilder<'logSearch'> = (query, parts) => {
  const { values, bind, matches, logs } = reading(query, parts);
  const { times, name, install, user, session, property, skip, limit } = query;
  const conditions = [
    `type IN ('event', 'page') AND ts >= ${times.from} AND ts < ${times.to} AND ${matches}`,
    ...(name === undefined ? [] : [`name = ${bind(name)}`]),
    ...(install === undefined ? [] : [`device = ${bind(toUuid(install))}::UUID`]),
    ...(user === undefined ? [] : [`"user" = ${bind(user)}`]),
    ...(session === undefined ? [] : [isSession(bind, session)]),
    ...(property === undefined
      ? []
      : property.value === undefined
        ? [`properties[${bind(property.name)}] IS NOT NULL`]
        : [`properties[${bind(property.name)}] = ${bind(property.value)}`]),
  ];
  return {
    sql: `SELECT ${shown} FROM ${logs} WHERE ${conditions.join(' AND ')}
      ORDER BY ts DESC, device, name, key ${limitTo(limit, skip)}`,
    values,
  };
};

export const allLogs: QueryBuilder<'allLogs'> = (query, parts) => {
  const { values, bind, logs } = reading(query, parts);
  const { times, subject, skip, limit } = query;
  const isTheirs =
    subject === undefined
      ? `AND type <> 'sessionEnd'`
      : subject.kind === 'install'
        ? `AND device = ${bind(toUuid(subject.value))}::UUID`
        : `AND "user" = ${bind(subject.value)}`;
  return {
    sql: `SELECT ${shown} FROM ${logs} WHERE type NOT IN ('forgotten', 'crash') AND ts >= ${times.from} AND ts < ${times.to} ${isTheirs}
      ORDER BY ts, device, type, name, session, properties ${limitTo(limit, skip)}`,
    values,
  };
};

/** Logs of a session, by the session ID of the device; see `writing.ts`. */
export const sessionLogs: QueryBuilder<'sessionLogs'> = (query, parts) => {
  const { values, bind, logs } = reading(query, parts);
  const { install, session, until, limit } = query;
  const device = bind(toUuid(install));
  return {
    sql: `SELECT ${shown} FROM ${logs} WHERE type NOT IN ('forgotten', 'sessionEnd') AND ts <= ${until}
      AND device = ${device}::UUID AND session = md5(concat_ws(chr(10), ${device}, ${bind(session.toLowerCase())}))::UUID
      ORDER BY ts DESC, type, name, key ${limitTo(limit)}`,
    values,
  };
};
