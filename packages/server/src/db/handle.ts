import type { Compilable, Kysely } from 'kysely';
import type { DialectName, Examination, Prepared, Result } from './connection.ts';

/** What a bare query can name: no table of a domain, which only its stores can, by their `tables.ts`. Tests add theirs. */
export interface QueryTables {
  migrations: { name: string; timestamp: string };
}

/** The one handle: inside a transaction it is that transaction's, outside it only reads. */
export interface Db {
  readonly dialect: DialectName;
  readonly inTransaction: boolean;
  run(prepared: Prepared, values: readonly unknown[]): Promise<Result>;
  /** For the few queries whose shape differs from call to call; the normal way is `statement()`. */
  query<R>(build: (q: Kysely<QueryTables>) => Compilable<R>): Promise<R[]>;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs something quick once the transaction is committed; never if it is undone. */
  afterCommit(work: () => void): void;
}

export interface Database extends Db {
  /** `hasVersions` is false over tables of before there were versions, of which no server remembers anything. */
  transaction<T>(work: (db: Db) => Promise<T>, options?: { hasVersions: boolean }): Promise<T>;
  /** Brings the schema up to date, or up to a migration; says which ones it applied. */
  migrate(upTo?: string): Promise<string[]>;
  /** Migrations that the database has, also those that this program does not know. */
  appliedMigrations(): Promise<string[]>;
  /** Migrations that this program has and the database lacks. */
  pendingMigrations(): Promise<string[]>;
  /** One unchanging state to read, however long that takes, beside whatever others write. */
  snapshot(): Promise<SnapshotDb>;
  examine(): Promise<Examination>;
  close(): Promise<void>;
}

export interface SnapshotDb {
  readonly dialect: DialectName;
  query<R>(build: (q: Kysely<QueryTables>) => Compilable<R>): Promise<R[]>;
  pages(build: (q: Kysely<QueryTables>) => Compilable, size: number): AsyncIterable<Result['rows']>;
  /** Lets it go; again does nothing. */
  close(): Promise<void>;
}
