import type { Row } from '../answers.ts';
import { toUuid } from '../rows.ts';
import type { FoundRow } from './client.ts';
import {
  type Asker,
  hasProperty,
  limitTo,
  NO_SESSION,
  plain,
  propertyOf,
  quoted,
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

/** By the id that answers show, or by the one that its device gave it; see `../duckdb/writing.ts` for how that is known here. */
const isSession = (session: string): string =>
  `(session = ${uuid(toUuid(session))} OR replaceAll(toString(session), '-', '') =
    lower(hex(MD5(concat(toString(device), '\\n', ${quoted(session.toLowerCase())})))))`;

const ordered = 'toString(device), name, toString(session), property_names, property_values';

export const logSearch: Asker<'logSearch'> = async (question, { logs, matches }, run) => {
  const { times, range, name, install, user, session, property, skip, limit } = question;
  const conditions = [
    `type IN ('event', 'page') AND ts >= ${times.from} AND ts < ${times.to} AND ${matches}`,
    ...(name === undefined ? [] : [`name = ${quoted(name)}`]),
    ...(install === undefined ? [] : [`device = ${uuid(toUuid(install))}`]),
    ...(user === undefined ? [] : [`user = ${quoted(user)}`]),
    ...(session === undefined ? [] : [isSession(session)]),
    ...(property === undefined ? [] : [hasProperty(property.name)]),
    ...(property?.value === undefined ? [] : [`${propertyOf(property.name)} = ${quoted(property.value)}`]),
  ];
  const rows = await run(`SELECT ${shownColumns} FROM ${logs(conditions.join(' AND '), range)}
    ORDER BY ts DESC, ${ordered} ${limitTo(limit, skip)}`);
  return rows.map(toRow);
};

export const allLogs: Asker<'allLogs'> = async ({ times, range, sender, skip, limit }, { logs }, run) => {
  const isTheirs =
    sender === undefined
      ? '1'
      : sender.kind === 'install'
        ? `device = ${uuid(toUuid(sender.value))}`
        : `user = ${quoted(sender.value)}`;
  const counts = `type NOT IN ('forgotten', 'crash') AND ts >= ${times.from} AND ts < ${times.to} AND ${isTheirs}`;
  const rows = await run(`SELECT ${shownColumns} FROM ${logs(counts, range)}
    ORDER BY ts, toString(device), type, name, toString(session), property_names, property_values ${limitTo(limit, skip)}`);
  return rows.map(toRow);
};

/** Of a session by the id that its device gave it. */
export const sessionLogs: Asker<'sessionLogs'> = async ({ range, install, session, until, limit }, { logs }, run) => {
  const device = toUuid(install);
  const known = toUuid(`${device}\n${session.toLowerCase()}`);
  const rows = await run(
    `SELECT ${shownColumns} FROM ${logs(
      `type != 'forgotten' AND ts <= ${until} AND device = ${uuid(device)} AND session = ${uuid(known)}`,
      range,
    )} ORDER BY ts DESC, type, ${ordered} ${limitTo(limit)}`,
  );
  return rows.map(toRow);
};
