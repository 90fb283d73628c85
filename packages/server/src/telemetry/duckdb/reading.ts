import type { Value } from '../answers.ts';
import type { FileKind, Forgotten, Part } from '../engine.ts';
import { type DayRange, dimensions, type Filter, type Question, type QuestionName } from '../questions.ts';
import { toUuid } from '../rows.ts';

/** A question in SQL; its rows are what `answers.ts` makes the answer of. */
export interface Asking {
  sql: string;
  values: Value[];
}

export const DAY = 86_400_000;
const dims = dimensions.map((dimension) => `${dimension} VARCHAR`).join();

/** The columns of each kind of file. */
export const columns: Readonly<Record<FileKind, string>> = {
  logs: `type VARCHAR, ts BIGINT, device UUID, session UUID, key UBIGINT, name VARCHAR, ${dims}, oem VARCHAR,
    screen VARCHAR, api VARCHAR, "user" VARCHAR, properties MAP(VARCHAR, VARCHAR)`,
  devices: `day INTEGER, device UUID, ${dims}, oem VARCHAR, screen VARCHAR, api VARCHAR, last BIGINT`,
  sessions: `day INTEGER, session UUID, started_at BIGINT, first BIGINT, last BIGINT, logs BIGINT, ${dims}`,
};

/** What shows that somebody used the app. */
export const isActive = `type IN ('startSession', 'page', 'event', 'forgotten')`;

/** The smaller files, from logs. */
export const extracts: Readonly<Record<Exclude<FileKind, 'logs'>, (logs: string) => string>> = {
  devices: (
    logs,
  ) => `SELECT (ts // ${DAY})::INTEGER AS day, device, ${dimensions.join()}, oem, screen, api, max(ts) AS last
    FROM ${logs} WHERE ${isActive} GROUP BY ALL`,
  sessions: (
    logs,
  ) => `SELECT (ts // ${DAY})::INTEGER AS day, session, min(ts) FILTER (type = 'startSession') AS started_at,
      min(ts) AS first, max(ts) AS last, count(*) AS logs, ${dimensions.join()}
    FROM ${logs} WHERE ${isActive} AND session IS NOT NULL GROUP BY ALL`,
};

/**
 * Versions as texts whose order is that of versions: by their numbers, previews before their release, and what is no version
 * last, as text.
 */
export const macros = [
  `CREATE MACRO version_numbers(v) AS regexp_extract(v, '^([0-9]{1,15}(?:[.][0-9]{1,15}){0,9})(?:[^.0-9]|$)', 1)`,
  `CREATE MACRO version_key(v) AS CASE WHEN version_numbers(v) = '' THEN 'z' || v ELSE
    array_to_string(list_resize(list_transform(string_split(version_numbers(v), '.'), lambda n: lpad(n, 15, '0')), 10,
      '000000000000000'), '.')
    || CASE WHEN regexp_matches(v, '^[0-9.]+-') THEN regexp_replace(v, '^[0-9.]+', '') ELSE '~' END END`,
];

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A column that files of earlier versions lack is empty in them. */
const readFiles = (kind: FileKind, files: readonly string[]): string =>
  `(SELECT * FROM no_${kind} UNION ALL BY NAME
    SELECT * FROM read_parquet([${files.map(quoted).join()}], union_by_name = true))`;

/** The logs of a file without what is forgotten; of an event stays that something happened. */
function forgetting(file: string, forgotten: readonly Forgotten[]): string {
  const valuesOf = (wanted: Forgotten['kind']): string[] =>
    forgotten.flatMap(({ kind, value }) => (kind === wanted ? quoted(kind === 'install' ? toUuid(value) : value) : []));
  const [events, installs, users] = [valuesOf('event'), valuesOf('install'), valuesOf('user')];
  const isForgotten = events.length > 0 ? `(type = 'event' AND name IN (${events.join()}))` : 'false';
  const cleared = ['name', '"user"', 'properties'].map(
    (column) => `CASE WHEN ${isForgotten} THEN NULL ELSE ${column} END AS ${column}`,
  );
  const type = `CASE WHEN ${isForgotten} THEN 'forgotten' ELSE type END AS type`;
  const stays = [
    ...(installs.length > 0 ? [`device NOT IN (${installs.map((id) => `${id}::UUID`).join()})`] : []),
    ...(users.length > 0 ? [`("user" IS NULL OR "user" NOT IN (${users.join()}))`] : []),
    'true',
  ];
  return `SELECT * REPLACE (${[type, ...cleared].join()}) FROM ${readFiles('logs', [file])} WHERE ${stays.join(' AND ')}`;
}

/** Who sent something is in each kind of file; what an event said only in that of the logs. */
export const isMarked = (kind: FileKind, { forgotten = [] }: Part): boolean =>
  forgotten.some((each) => kind === 'logs' || each.kind !== 'event');

/** All files of a kind as one relation; one without rows where there are none. */
export function filesOf(kind: FileKind, parts: readonly Part[]): string {
  if (parts.length === 0) return `no_${kind}`;
  const marked = parts.filter((part) => isMarked(kind, part));
  const plain = parts.filter((part) => !marked.includes(part)).map((part) => part[kind]);
  if (marked.length === 0) return readFiles(kind, plain);
  const selects = marked.map(({ logs, forgotten = [] }) => {
    const left = forgetting(logs, forgotten);
    return kind === 'logs' ? left : extracts[kind](`(${left})`);
  });
  if (plain.length > 0) selects.push(`SELECT * FROM ${readFiles(kind, plain)}`);
  return `(${selects.join(' UNION ALL BY NAME ')})`;
}

/** Collects the values of a statement and says where each stands in it. */
export function binder() {
  const values: Value[] = [];
  const bind = (value: Value): string => `$${values.push(value)}`;
  const among = (column: string, wanted: readonly Value[]) => `${column} IN (${wanted.map(bind).join()})`;
  return { values, bind, among };
}

export type Asker<N extends QuestionName> = (question: Question<N>, parts: readonly Part[]) => Asking;

/** What every question has: where to read, and what of it counts. */
export function reading({ filter, range }: { filter: Filter; range: DayRange }, parts: readonly Part[]) {
  const { values, bind, among } = binder();
  const matches = dimensions
    .flatMap((dimension) => (filter[dimension] ? [among(dimension, filter[dimension])] : []))
    .concat('true')
    .join(' AND ');
  const within = (column: string, { from, to }: DayRange = range) => `${column} BETWEEN ${bind(from)} AND ${bind(to)}`;
  return {
    values,
    bind,
    matches,
    within,
    among,
    logs: filesOf('logs', parts),
    devices: filesOf('devices', parts),
    sessions: filesOf('sessions', parts),
    /** The logs of some days, by their files: reading their times would take longer than what is asked of them. */
    logsOf: ({ from, to }: DayRange) =>
      filesOf(
        'logs',
        parts.filter(({ day }) => day >= from && day <= to),
      ),
  };
}

export const limitTo = (limit: number, skip = 0): string => `${limit > 0 ? `LIMIT ${limit}` : ''} OFFSET ${skip}`;
