/** The tables as the migrations leave them are declared by whoever owns them. Times are epoch ms, flags 0 or 1, JSON is text. */
export type Flag = 0 | 1;

/**
 * What processes remember, each with a version in the database: who a credential stands for and what they may do
 * (`grants`), and answers that were given before (`responses`), which also end with the grants of whoever got them.
 */
export const versionNames = ['grants', 'responses'] as const;
export type VersionName = (typeof versionNames)[number];

/** What of a table does not matter: rows that nobody can have asked for yet, and some columns. */
export interface Unless<Column> {
  newRows?: false;
  except?: readonly Column[];
}

/** What of a person a column holds: their id, or their e-mail in any case. */
export type PersonKey = 'userId' | 'email';

/**
 * How a row tells that it is about a person, and what becomes of it when they go, if it does not go with their account: it is
 * deleted, or these columns say no longer who it was.
 */
export interface PersonColumn<Column extends string> {
  holds: PersonKey;
  erase: 'row' | { readonly [name in Column]?: 'alias' | 'null' };
}

/** What a person is shown who asks for everything about them. */
export interface PersonalRows<Column extends string> {
  by: { readonly [name in Column]?: PersonKey | PersonColumn<Column> };
  /** Left out: worth something to whoever gets hold of the archive. */
  secret?: readonly Column[];
}

/**
 * What is true of a table. Only what was found is remembered, so a new row matters where it changes what was found: a
 * role, but not a session.
 */
export interface TableTraits<Column extends string = string>
  extends Partial<Record<VersionName, true | Unless<Column>>> {
  /** False where a copy of the database does without it. */
  backup?: false;
  /** Of people with an account. */
  personal?: PersonalRows<Column>;
  /** Columns of bytes, where a row may be as large as a request. */
  bytes?: readonly Column[];
  /** Of one row that a migration makes: the number that processes compare to know whether what they remember still holds. */
  counter?: Column;
}

/** Tables, or views, that one domain or room owns. */
export interface TableSet<T extends object> {
  readonly names: readonly string[];
  /** Only a type. */
  readonly rows?: T;
}

const defined = new Map<string, TableTraits>();

/** Every table is declared once, each after those that it refers to, as a copy of the database needs them. */
export function defineTables<T extends object>(
  tables: {
    readonly [K in keyof T]: TableTraits<keyof T[K] & string>;
  },
): TableSet<T> {
  const entries = Object.entries<TableTraits>(tables);
  for (const [name, traits] of entries) {
    if (defined.has(name)) throw new Error(`The table ${name} is declared twice.`);
    defined.set(name, traits);
  }
  return { names: entries.map(([name]) => name) };
}

/** Views that others fill: what a domain wants to read of those above it. */
export const defineViews = <T extends object>(): TableSet<T> => ({ names: [] });

export const traitsOf = (table: string): TableTraits | undefined => defined.get(table);

/** Tables with rows about people, and how those are found. */
export const personalTables = (): [table: string, personal: PersonalRows<string>][] =>
  [...defined].flatMap(([name, { personal }]) => (personal ? [[name, personal]] : []));

export const declaredTables = (): string[] => [...defined.keys()];

/** What a backup copies. */
export const copiedTables = (): string[] =>
  [...defined].flatMap(([name, { backup }]) => (backup === false ? [] : name));

/** The last two are the migrations' book-keeping, which a restore writes by itself. */
export const leftOutTables = (): string[] => [
  ...[...defined].flatMap(([name, { backup }]) => (backup === false ? name : [])),
  'migrations',
  'migrations_lock',
];
