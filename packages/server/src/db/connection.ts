import type { CompiledQuery, Dialect } from 'kysely';
import type { Writing } from './remembered-tables.ts';

export type DialectName = 'sqlite' | 'postgres';

/** SQL that was compiled once; `id` is its place in each connection's cache of prepared statements. */
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

/** One place where SQL runs: a connection, or a pool that picks one. */
export interface Connection {
  run(prepared: Prepared, values: readonly unknown[]): Promise<Result>;
  /** For queries that differ from call to call. */
  runOnce(query: CompiledQuery): Promise<Result>;
}

/** One unchanging state of the database, beside whatever others write. */
export interface Snapshot {
  runOnce(query: CompiledQuery): Promise<Result>;
  /** The rows of a query without parameters, some at a time, so that a table need not fit into memory. */
  pages(query: CompiledQuery, size: number): AsyncIterable<Result['rows']>;
  /** Lets it go; again does nothing. */
  close(): Promise<void>;
}

/** What an operator wants to know of a database. */
export interface Examination {
  /** Name and version. */
  server: string;
  /** What is wrong with it; nothing when it is sound. */
  problems: string[];
  /** Its clock, in epoch ms. */
  now: number;
}

/** What a process does that others wait for. */
export const MIGRATING = 'brings the database up to date';

/** A database engine: what `open.ts` needs to know of it. */
export interface Engine {
  readonly name: DialectName;
  /** Outside transactions: reads only. */
  readonly reader: Connection;
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  snapshot(): Promise<Snapshot>;
  examine(): Promise<Examination>;
  /** Runs work that no other process may do at the same time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Runs whatever Kysely itself needs to run, which is migrations. */
  dialect(): Dialect;
  close(): Promise<void>;
}
