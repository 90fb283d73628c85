import type { Compilable, Kysely } from 'kysely';
import { builders } from './builders.ts';
import type { DialectName, Prepared } from './connection.ts';
import type { Db } from './handle.ts';
import { writingOf } from './remembered-tables.ts';
import type { Tables } from './tables.ts';

/** Stands in a query where a value will be bound later. */
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
  first(db: Db, ...params: ParamsOf<P>): Promise<R | undefined>;
  all(db: Db, ...params: ParamsOf<P>): Promise<R[]>;
  /** How many rows it changed. */
  run(db: Db, ...params: ParamsOf<P>): Promise<number>;
}

type ParamsOf<P> = keyof P extends never ? [] : [params: P];
type Values = Readonly<Record<string, unknown>>;

const placeholders = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });

let statements = 0;

/**
 * Declares a query once, to be run many times: Kysely types and compiles it, a prepared (SQLite) or named (PostgreSQL)
 * statement runs it. `statement((q, p: { id: string }) => q.selectFrom('users').selectAll().where('id', '=', p.id))`
 */
export function statement<R, P extends object = Record<never, never>>(
  build: (q: Kysely<Tables>, p: P, dialect: DialectName) => Compilable<R>,
): Statement<P, R> {
  const id = statements++;
  const compiled: Partial<Record<DialectName, Compiled>> = {};

  function compile(dialect: DialectName): Compiled {
    const { sql, parameters, query } = build(builders[dialect], placeholders as P, dialect).compile();
    const fresh = {
      prepared: {
        id,
        sql,
        returnsRows: query.kind === 'SelectQueryNode' || 'returning' in query,
        writing: writingOf(query),
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
