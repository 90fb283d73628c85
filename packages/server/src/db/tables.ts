/** Each table is declared by its owner, as the migrations leave it. Times are epoch ms, flags 0 or 1, JSON is text. */
export type Flag = 0 | 1;

/**
 * Caches of processes, each with a version in the database: the user and rights of a credential (`grants`), and
 * responses (`responses`), which also become invalid with the grants of their caller.
 */
export const versionNames = ['grants', 'responses'] as const;
export type VersionName = (typeof versionNames)[number];

/** Changes of a table that do not invalidate caches: new rows that no request can have read, and some columns. */
export interface Unless<Column> {
  newRows?: false;
  except?: readonly Column[];
}

/** How a column identifies a person: by ID, or by email address in any case. */
export type PersonKey = 'userId' | 'email';

/**
 * How a row refers to a person, and what happens to it when their account is deleted, unless a foreign key deletes it
 * too: the row is deleted, or these columns are overwritten.
 */
export interface PersonColumn<Column extends string> {
  holds: PersonKey;
  erase: 'row' | { readonly [name in Column]?: 'alias' | 'null' };
}

/** Rows for a copy of a person's data. */
export interface PersonalRows<Column extends string> {
  by: { readonly [name in Column]?: PersonKey | PersonColumn<Column> };
  /** Omitted from the copy, because a thief of the archive could use it. */
  secret?: readonly Column[];
}

/**
 * Properties of a table. Only rows that were read are cached, so a new row invalidates caches only if it changes an
 * earlier result: a role does, a session does not.
 */
export interface TableTraits<Column extends string = string>
  extends Partial<Record<VersionName, true | Unless<Column>>> {
  /** False if backups omit the table. */
  backup?: false;
  /** Rows about people with an account. */
  personal?: PersonalRows<Column>;
  /** Columns of bytes, whose rows may be as large as a request. */
  bytes?: readonly Column[];
  /** Column of a single row that a migration creates: a number that processes compare to validate their caches. */
  counter?: Column;
}

/** Tables of one owner, for its stores alone. */
export interface TableSet<T extends object> {
  readonly names: readonly string[];
  /** Exists only as a type. */
  readonly rows?: T;
}

/** Views that stores of other domains may read, so their columns are a promise. Read-only. */
export interface ViewSet<T extends object> {
  readonly isViews: true;
  /** Exists only as a type. */
  readonly rows?: T;
}

const defined = new Map<string, TableTraits>();

/** Declares tables, each once and after those it references: backups are restored in this order. */
export function defineTables<T extends object>(
  tables: {
    readonly [K in keyof T]: TableTraits<keyof T[K] & string>;
  },
): TableSet<T> {
  const entries = Object.entries<TableTraits>(tables);
  for (const [name, traits] of entries) {
    if (defined.has(name)) throw new Error(`Table ${name} is declared twice.`);
    defined.set(name, traits);
  }
  return { names: entries.map(([name]) => name) };
}

/** Views that a migration creates: a domain publishes them for others, or reads them while higher domains fill them. */
export const defineViews = <T extends object>(): ViewSet<T> => ({ isViews: true });

export const getTableTraits = (table: string): TableTraits | undefined => defined.get(table);

/** Tables with rows about people, and the columns that identify them. */
export const personalTables = (): [table: string, personal: PersonalRows<string>][] =>
  [...defined].flatMap(([name, { personal }]) => (personal ? [[name, personal]] : []));

export const declaredTables = (): string[] => [...defined.keys()];

/** Tables that a backup copies. */
export const copiedTables = (): string[] =>
  [...defined].flatMap(([name, { backup }]) => (backup === false ? [] : name));

/** The last two belong to the migrations; a restore writes them itself. */
export const leftOutTables = (): string[] => [
  ...[...defined].flatMap(([name, { backup }]) => (backup === false ? name : [])),
  'migrations',
  'migrations_lock',
];
