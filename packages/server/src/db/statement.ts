import type { Compilable, InsertObject, InsertQueryBuilder, InsertResult, Kysely, UpdateObject } from 'kysely';
import { createBuilder } from './builders.ts';
import type { DialectName, Prepared } from './drivers/connection.ts';
import type { Db } from './handle.ts';
import { analyzeWrite } from './remembered-tables.ts';
import type { TableSet, ViewSet } from './tables.ts';

/** A placeholder for a value that is bound later. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Binding = { parameter: string } | { constant: unknown };
interface Compiled {
  prepared: Prepared;
  bindings: Binding[];
}

export interface Statement<P, R> {
  /** The first row, if any. */
  first(db: Db, ...params: StatementParams<P>): Promise<R | undefined>;
  all(db: Db, ...params: StatementParams<P>): Promise<R[]>;
  /** Returns the number of changed rows. */
  run(db: Db, ...params: StatementParams<P>): Promise<number>;
}

type StatementParams<P> = keyof P extends never ? [] : [params: P];
type Values = Readonly<Record<string, unknown>>;

const placeholders = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });

let statements = 0;

type Build<T, R, P> = (q: Kysely<T>, p: P, dialect: DialectName) => Compilable<R>;

type InsertExtension<T, N extends keyof T & string, R> = (
  insert: InsertQueryBuilder<T, N, InsertResult>,
  p: InsertObject<T, N>,
) => Compilable<R>;

type Identified<U> = U & { id: string };

/** Access to the tables that a store can name; naming another one is a type error. */
export interface TableAccess<T> {
  /**
   * Declares a query once, to be run many times: Kysely types and compiles it, a prepared (SQLite) or named
   * (PostgreSQL) statement runs it. `statement((q, p: { id: string }) => q.selectFrom('users').selectAll().where('id',
   * '=', p.id))`
   */
  statement<R, P extends object = Record<never, never>>(build: Build<T, R, P>): Statement<P, R>;
  /**
   * Declares an insert of the columns that the passed row has, and no others. `insertInto('users')`, or
   * `insertInto('users', (insert) => insert.returning('id'))`
   */
  insertInto<N extends keyof T & string, R>(
    table: N,
    then?: InsertExtension<T, N, R>,
  ): Statement<InsertObject<T, N>, R>;
  /** Declares an update of the row with an ID: of the columns that the passed row has. */
  updateRow<N extends keyof T & string>(table: N): Statement<Identified<UpdateObject<T, N>>, unknown>;
  /** For the few queries whose shape differs from call to call. */
  query<R>(db: Pick<Db, 'dialect' | 'query'>, build: (q: Kysely<T>) => Compilable<R>): Promise<R[]>;
}

type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never;
type AnySet = TableSet<object> | ViewSet<object>;
type TableRows<S> = S extends TableSet<infer T> | ViewSet<infer T> ? T : never;
export type AccessedTables<A> = A extends TableAccess<infer T> ? T : never;

/** Limits the stores of one owner to its own tables and to views that other domains publish. */
export function accessTo<S extends readonly [] | readonly [AnySet, ...ViewSet<object>[]]>(
  ..._sets: S
): TableAccess<Intersection<TableRows<S[number]>>> {
  type T = Intersection<TableRows<S[number]>>;
  const builders: Partial<Record<DialectName, Kysely<T>>> = {};
  const getBuilder = (dialect: DialectName): Kysely<T> => {
    builders[dialect] ??= createBuilder<T>(dialect);
    return builders[dialect];
  };
  return {
    statement: (build) => declare((dialect, p) => build(getBuilder(dialect), p, dialect)),
    insertInto: (table, then) =>
      byColumns((columns) =>
        declare((dialect, p) => {
          const insert = getBuilder(dialect).insertInto(table).values(pick(p, columns));
          return then ? then(insert, p) : insert;
        }),
      ),
    updateRow: (table: string) =>
      byColumns((columns) =>
        declare((dialect, p) =>
          createBuilder<Record<string, Record<string, unknown>>>(dialect)
            .updateTable(table)
            .set(
              pick<object>(
                p,
                columns.filter((column) => column !== 'id'),
              ),
            )
            .where('id', '=', p.id),
        ),
      ),
    query: (db, build) => db.query(() => build(getBuilder(db.dialect))),
  };
}

const pick = <P extends object>(row: P, columns: readonly string[]): P =>
  Object.fromEntries(columns.map((column) => [column, row[column as keyof P]])) as P;

/** Creates one statement for each set of columns. */
function byColumns<R, P extends object>(make: (columns: readonly string[]) => Statement<P, R>): Statement<P, R> {
  const made = new Map<string, Statement<P, R>>();
  const statementFor = ([row = {}]: [row?: object]): Statement<P, R> => {
    const columns = Object.keys(row).sort();
    const key = columns.join();
    const statement = made.get(key) ?? make(columns);
    made.set(key, statement);
    return statement;
  };
  return {
    first: (db, ...row) => statementFor(row).first(db, ...row),
    all: (db, ...row) => statementFor(row).all(db, ...row),
    run: (db, ...row) => statementFor(row).run(db, ...row),
  };
}

function declare<R, P extends object>(build: (dialect: DialectName, p: P) => Compilable<R>): Statement<P, R> {
  const id = statements++;
  const compiled: Partial<Record<DialectName, Compiled>> = {};

  function compile(dialect: DialectName): Compiled {
    const { sql, parameters, query } = build(dialect, placeholders as P).compile();
    const fresh = {
      prepared: {
        id,
        sql,
        returnsRows: query.kind === 'SelectQueryNode' || 'returning' in query,
        writing: analyzeWrite(query),
      },
      bindings: parameters.map((value) =>
        value instanceof Parameter ? { parameter: value.name } : { constant: value },
      ),
    };
    compiled[dialect] = fresh;
    return fresh;
  }

  const execute = (db: Db, params: Values = {}) => {
    const { prepared, bindings } = compiled[db.dialect] ?? compile(db.dialect);
    return db.run(
      prepared,
      bindings.map((binding) => ('parameter' in binding ? params[binding.parameter] : binding.constant)),
    );
  };

  return {
    first: async (db, ...[params]) => (await execute(db, params as Values)).rows[0] as R | undefined,
    all: async (db, ...[params]) => (await execute(db, params as Values)).rows as R[],
    run: async (db, ...[params]) => (await execute(db, params as Values)).affected,
  };
}
