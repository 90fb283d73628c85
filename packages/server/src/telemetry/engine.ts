import type { Day, QueryName, QueryResult, TelemetryQuery } from './queries.ts';
import type { Cuts, RowLimits } from './rows.ts';

/** Name of events beyond the maximum number of names per day. */
export const OTHER_EVENTS = '(other)';

/** Files of a day: all logs, and two smaller extracts that are enough for most queries. */
export const fileKinds = ['logs', 'devices', 'sessions'] as const;
export type FileKind = (typeof fileKinds)[number];

export type PartFiles = Readonly<Record<FileKind, string>>;

/**
 * Data to erase: everything from an installation or user of the app, or an event, except for its time and device.
 */
export interface Erasure {
  readonly kind: 'event' | 'install' | 'user';
  readonly value: string;
}

/** A segment: files of one day on this machine. A day may have several; together they contain each log once. */
export interface Part extends PartFiles {
  /** The content of an ID never changes. */
  readonly id: string;
  /** Engines on several machines keep the parts of one app together. */
  readonly appId?: string;
  readonly day: Day;
  /** Erased data that the files still contain and queries must exclude. */
  readonly erasures?: readonly Erasure[];
}

export interface WrittenPart {
  day: Day;
  /** Number of logs. */
  rows: number;
  /** Number of events that were renamed, because the day has too many names. */
  others: number;
  files: Part;
}

/** Logs of one device, as received. */
export interface LogBatch {
  /** The device. */
  installId: string;
  logs: readonly {
    /** Time of the log, in ms. */
    at: number;
    /** The whole log, as received. */
    value: object;
    /** Keeps only the time and device, as for an erased event. */
    isErased?: boolean;
  }[];
}

/** Logs that were read and are not written yet. */
export interface Staged {
  /** Number of logs of each day, including duplicates. */
  days: readonly { day: Day; rows: number }[];
  /** How often values were truncated, including duplicates. */
  cuts: Cuts;
  /**
   * Writes the logs of a day as a part of it: each once, without those that the day's other parts contain. Returns
   * nothing if none is left. `mostNames` limits the names of events; later ones count as `OTHER_EVENTS`. If one of the
   * other parts is sealed, logs with the same device, time, session and name are duplicates.
   */
  write(
    day: Day,
    existing: readonly Part[],
    folder: string,
    options?: { mostNames?: number; hasSealed?: boolean },
  ): Promise<WrittenPart | undefined>;
  release(): Promise<void>;
}

/** Returns the app of each of these parts that is still read. */
export type WhoseParts = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A server that runs telemetry queries instead of a process of this server. */
export interface CountingServer {
  /** Without user and password. */
  name: string;
  /** Undefined if the server works. */
  problem: string | undefined;
}

/** Runs telemetry queries. One conformance suite tests all implementations for the same results. */
export interface Engine {
  /** The kinds of files that a query needs from parts that the engine does not hold itself. */
  getFileKinds(query: QueryName): readonly FileKind[];
  /** The parts that the engine holds itself, so that it needs no files of them. */
  held(parts: readonly Pick<Part, 'id' | 'appId'>[]): Promise<ReadonlySet<string>>;
  /** Owners take turns (default: the app of the parts). */
  query<Q extends TelemetryQuery>(query: Q, parts: readonly Part[], owner?: string): Promise<QueryResult<Q['kind']>>;
  stage(batches: Iterable<LogBatch> | AsyncIterable<LogBatch>, limits?: RowLimits): Promise<Staged>;
  /**
   * Merges parts of a day into one, without erased data. A sealed part has no keys to detect duplicates. Returns
   * nothing if no log is left.
   */
  merge(
    day: Day,
    parts: readonly Part[],
    folder: string,
    options?: { isSealed?: boolean },
  ): Promise<WrittenPart | undefined>;
  /** Writes rows of text as a Parquet file. Each row has all of these columns. */
  toParquet(columns: readonly string[], rows: Iterable<Readonly<Record<string, string>>>): Promise<Buffer>;
  /** Loads large parts in the background, before the first query needs them. */
  prepare?(parts: readonly Part[]): void;
  /** Drops parts that are no longer read, or no longer here. */
  drop(whose: WhoseParts): Promise<void>;
  /** The servers that run telemetry queries instead of a process of this server. */
  servers(): Promise<readonly CountingServer[]>;
  /** Throws if the engine can't run queries. */
  check(): Promise<void>;
  close(): Promise<void>;
}
