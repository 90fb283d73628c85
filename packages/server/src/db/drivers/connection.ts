import type { CompiledQuery, Dialect } from 'kysely';
import type { Writing } from '../remembered-tables.ts';

export type DialectName = 'sqlite' | 'postgres';

/** SQL that was compiled once. `id` is its key in each connection's cache of prepared statements. */
export interface Prepared {
  readonly id: number;
  readonly sql: string;
  readonly returnsRows: boolean;
  readonly writing: Writing;
}

export interface Result {
  rows: Record<string, unknown>[];
  affected: number;
}

/** Runs SQL on a connection, or on a pool that picks one. */
export interface Connection {
  run(prepared: Prepared, values: readonly unknown[]): Promise<Result>;
  /** For queries that differ from call to call. */
  runOnce(query: CompiledQuery): Promise<Result>;
}

/** A consistent read-only view of the database, unaffected by concurrent writes. */
export interface Snapshot {
  runOnce(query: CompiledQuery): Promise<Result>;
  /** Yields the rows of a query without parameters, page by page, so that large tables don't have to fit into memory. */
  pages(query: CompiledQuery, size: number): AsyncIterable<Result['rows']>;
  /** Ends the snapshot. Can be called repeatedly. */
  close(): Promise<void>;
}

/** State of a database, for `mooring doctor`. */
export interface Examination {
  /** Name and version of the database. */
  server: string;
  /** Errors of an integrity check; empty if the database is intact. */
  problems: string[];
  /** Time of its clock, in epoch ms. */
  now: number;
}

/** Shown while other processes wait for this one. */
export const MIGRATING = 'migrating the database';

/** A database engine, as `open.ts` uses it. */
export interface Engine {
  readonly name: DialectName;
  /** For use outside transactions; only reads. */
  readonly reader: Connection;
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  snapshot(): Promise<Snapshot>;
  examine(): Promise<Examination>;
  /** Runs work that only one process may do at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** For Kysely's own queries, which are migrations. */
  dialect(): Dialect;
  close(): Promise<void>;
}
