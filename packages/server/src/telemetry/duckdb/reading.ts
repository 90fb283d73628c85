import type { Erasure, FileKind, Part } from '../engine.ts';
import { type DayRange, dimensions, type Filter, type QueryName, type TelemetryQuery } from '../queries.ts';
import type { Value } from '../results.ts';
import { toUuid } from '../rows.ts';

/** A query in SQL. `results.ts` converts its rows. */
export interface SqlQuery {
  sql: string;
  values: Value[];
}

export const DAY = 86_400_000;
const dims = dimensions.map((dimension) => `${dimension} VARCHAR`).join();

/** Columns of each kind of file. */
export const columns: Readonly<Record<FileKind, string>> = {
  logs: `type VARCHAR, ts BIGINT, device UUID, session UUID, key UBIGINT, name VARCHAR, ${dims}, oem VARCHAR,
    screen VARCHAR, api VARCHAR, "user" VARCHAR, properties MAP(VARCHAR, VARCHAR)`,
  devices: `day INTEGER, device UUID, ${dims}, oem VARCHAR, screen VARCHAR, api VARCHAR, last BIGINT`,
  sessions: `day INTEGER, session UUID, started_at BIGINT, first BIGINT, last BIGINT, logs BIGINT, ${dims}`,
};

/** Logs that count as activity. */
export const isActive = `type IN ('startSession', 'sessionEnd', 'page', 'event', 'forgotten')`;

/** Queries that derive the smaller files from logs. */
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

/** Maps versions to text that sorts like versions: by number, previews before their release, and other text last. */
export const macros = [
  `CREATE MACRO version_numbers(v) AS regexp_extract(v, '^([0-9]{1,15}(?:[.][0-9]{1,15}){0,9})(?:[^.0-9]|$)', 1)`,
  `CREATE MACRO version_key(v) AS CASE WHEN version_numbers(v) = '' THEN 'z' || v ELSE
    array_to_string(list_resize(list_transform(string_split(version_numbers(v), '.'), lambda n: lpad(n, 15, '0')), 10,
      '000000000000000'), '.')
    || CASE WHEN regexp_matches(v, '^[0-9.]+-') THEN regexp_replace(v, '^[0-9.]+', '') ELSE '~' END END`,
];

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Columns that files of earlier versions lack are NULL. */
const readFiles = (kind: FileKind, files: readonly string[]): string =>
  `(SELECT * FROM no_${kind} UNION ALL BY NAME
    SELECT * FROM read_parquet([${files.map(quoted).join()}], union_by_name = true))`;

/** The logs of a file, without erased data. Erased events keep only their time and device. */
function excludeErased(file: string, erasures: readonly Erasure[]): string {
  const listErased = (erasedKind: Erasure['kind']): string[] =>
    erasures.flatMap(({ kind, value }) =>
      kind === erasedKind ? quoted(kind === 'install' ? toUuid(value) : value) : [],
    );
  const [events, installs, users] = [listErased('event'), listErased('install'), listErased('user')];
  const isErased = events.length > 0 ? `(type = 'event' AND name IN (${events.join()}))` : 'false';
  const cleared = ['name', '"user"', 'properties'].map(
    (column) => `CASE WHEN ${isErased} THEN NULL ELSE ${column} END AS ${column}`,
  );
  const type = `CASE WHEN ${isErased} THEN 'forgotten' ELSE type END AS type`;
  const stays = [
    ...(installs.length > 0 ? [`device NOT IN (${installs.map((id) => `${id}::UUID`).join()})`] : []),
    ...(users.length > 0 ? [`("user" IS NULL OR "user" NOT IN (${users.join()}))`] : []),
    'true',
  ];
  return `SELECT * REPLACE (${[type, ...cleared].join()}) FROM ${readFiles('logs', [file])} WHERE ${stays.join(' AND ')}`;
}

/** True if erasures affect a file. Names of events are only in the log files. */
export const isMarked = (kind: FileKind, { erasures = [] }: Part): boolean =>
  erasures.some((each) => kind === 'logs' || each.kind !== 'event');

/** All files of a kind as one relation, which may be empty. */
export function selectFiles(kind: FileKind, parts: readonly Part[]): string {
  if (parts.length === 0) return `no_${kind}`;
  const marked = parts.filter((part) => isMarked(kind, part));
  const plain = parts.filter((part) => !marked.includes(part)).map((part) => part[kind]);
  if (marked.length === 0) return readFiles(kind, plain);
  const selects = marked.map(({ logs, erasures = [] }) => {
    const left = excludeErased(logs, erasures);
    return kind === 'logs' ? left : extracts[kind](`(${left})`);
  });
  if (plain.length > 0) selects.push(`SELECT * FROM ${readFiles(kind, plain)}`);
  return `(${selects.join(' UNION ALL BY NAME ')})`;
}

/** Collects the values of a statement and returns their placeholders. */
export function binder() {
  const values: Value[] = [];
  const bind = (value: Value): string => `$${values.push(value)}`;
  const among = (column: string, candidates: readonly Value[]) => `${column} IN (${candidates.map(bind).join()})`;
  return { values, bind, among };
}

export type QueryBuilder<N extends QueryName> = (query: TelemetryQuery<N>, parts: readonly Part[]) => SqlQuery;

/** Filter and sources of a query. */
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
    logs: selectFiles('logs', parts),
    devices: selectFiles('devices', parts),
    sessions: selectFiles('sessions', parts),
    /** Logs of some days, selected by file, because filtering by time would take longer than the query itself. */
    selectLogs: ({ from, to }: DayRange) =>
      selectFiles(
        'logs',
        parts.filter(({ day }) => day >= from && day <= to),
      ),
  };
}

export const limitTo = (limit: number, skip = 0): string => `${limit > 0 ? `LIMIT ${limit}` : ''} OFFSET ${skip}`;
