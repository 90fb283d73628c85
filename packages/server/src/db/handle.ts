import type { Compilable, Kysely } from 'kysely';
import type { DialectName, Examination, Prepared, Result } from './drivers/connection.ts';

/** Tables that queries outside a store can name. Excludes tables of domains; tests add their own. */
export interface QueryTables {
  migrations: { name: string; timestamp: string };
}

/** Handle of the database. Inside a transaction it uses that transaction; outside it only reads. */
export interface Db {
  readonly dialect: DialectName;
  readonly inTransaction: boolean;
  run(prepared: Prepared, values: readonly unknown[]): Promise<Result>;
  /** For the few queries whose shape differs from call to call; use `statement()` otherwise. */
  query<R>(build: (q: Kysely<QueryTables>) => Compilable<R>): Promise<R[]>;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs quick work after the transaction has committed; never if it is rolled back. */
  afterCommit(work: () => void): void;
}

export interface Database extends Db {
  /**
   * `hasVersions` is false for tables of a backup from before the table `versions` existed; no server has caches of
   * those.
   */
  transaction<T>(work: (db: Db) => Promise<T>, options?: { hasVersions: boolean }): Promise<T>;
  /** Applies all migrations, or those up to `upTo`. Returns the applied ones. */
  migrate(upTo?: string): Promise<string[]>;
  /** Migrations that the database has, including those that this program does not know. */
  appliedMigrations(): Promise<string[]>;
  /** Migrations that this program has and the database lacks. */
  pendingMigrations(): Promise<string[]>;
  /** A consistent view for long reads, unaffected by concurrent writes. */
  snapshot(): Promise<SnapshotDb>;
  examine(): Promise<Examination>;
  close(): Promise<void>;
}

export interface SnapshotDb {
  readonly dialect: DialectName;
  query<R>(build: (q: Kysely<QueryTables>) => Compilable<R>): Promise<R[]>;
  pages(build: (q: Kysely<QueryTables>) => Compilable, size: number): AsyncIterable<Result['rows']>;
  /** Ends the snapshot. Can be called repeatedly. */
  close(): Promise<void>;
}
