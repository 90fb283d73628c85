import { told } from '../answers.ts';
import { toUuid } from '../rows.ts';
import { type Asker, limitTo, reading } from './reading.ts';

const shown = `type, ts, device, session, name, "user", ${told.join()}, to_json(properties)::VARCHAR AS properties`;

/** By the id that answers show, or by the one that its device gave it; see `writing.ts` for how that is known here. */
const isSession = (bind: (value: string) => string, session: string): string =>
  `(session = ${bind(toUuid(session))}::UUID OR session = md5(concat_ws(chr(10), device, ${bind(session.toLowerCase())}))::UUID)`;

export const logSearch: Asker<'logSearch'> = (question, parts) => {
  const { values, bind, matches, logs } = reading(question, parts);
  const { times, name, install, user, session, property, skip, limit } = question;
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

export const allLogs: Asker<'allLogs'> = (question, parts) => {
  const { values, bind, logs } = reading(question, parts);
  const { times, sender, skip, limit } = question;
  const isTheirs =
    sender === undefined
      ? ''
      : sender.kind === 'install'
        ? `AND device = ${bind(toUuid(sender.value))}::UUID`
        : `AND "user" = ${bind(sender.value)}`;
  return {
    sql: `SELECT ${shown} FROM ${logs} WHERE type NOT IN ('forgotten', 'crash') AND ts >= ${times.from} AND ts < ${times.to} ${isTheirs}
      ORDER BY ts, device, type, name, session, properties ${limitTo(limit, skip)}`,
    values,
  };
};

/** Of a session by the id that its device gave it; see `writing.ts` for how it is known here. */
export const sessionLogs: Asker<'sessionLogs'> = (question, parts) => {
  const { values, bind, logs } = reading(question, parts);
  const { install, session, until, limit } = question;
  const device = bind(toUuid(install));
  return {
    sql: `SELECT ${shown} FROM ${logs} WHERE type <> 'forgotten' AND ts <= ${until}
      AND device = ${device}::UUID AND session = md5(concat_ws(chr(10), ${device}, ${bind(session.toLowerCase())}))::UUID
      ORDER BY ts DESC, type, name, key ${limitTo(limit)}`,
    values,
  };
};
