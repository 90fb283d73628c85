import type { Answer, Day, Question, QuestionName } from './questions.ts';
import type { Cuts, RowLimits } from './rows.ts';

/** The name of events that come when a day has as many names as it may. */
export const OTHER_EVENTS = '(other)';

/** What a day's logs are kept in: all of them, and two smaller extracts that most questions can be answered from. */
export const fileKinds = ['logs', 'devices', 'sessions'] as const;
export type FileKind = (typeof fileKinds)[number];

export type PartFiles = Readonly<Record<FileKind, string>>;

/**
 * What is to be as if it had never come: an event, of which only stays that something happened, or all that an installation
 * or a user of the app sent.
 */
export interface Forgotten {
  readonly kind: 'event' | 'install' | 'user';
  readonly value: string;
}

/** Files of one day, on this machine. A day may have several parts; together they hold each log once. */
export interface Part extends PartFiles {
  /** What is under an id never changes. */
  readonly id: string;
  /** Whose it is; what counts on several machines has those of one app together. */
  readonly appId?: string;
  readonly day: Day;
  /** What is in there and must not be seen. */
  readonly forgotten?: readonly Forgotten[];
}

export interface WrittenPart {
  day: Day;
  /** How many logs it holds. */
  rows: number;
  /** How many events of them had a name too many for the day. */
  others: number;
  files: Part;
}

/** Logs as a device sent them. */
export interface LogBatch {
  /** The device. */
  installId: string;
  logs: readonly {
    /** When it was made, in ms. */
    at: number;
    /** All of it, as it came. */
    value: object;
    /** Of it only stays that something happened, as of an event that is forgotten. */
    isForgotten?: boolean;
  }[];
}

/** Logs that were read and are not written yet. */
export interface Staged {
  /** How many logs there are of each day, repeats included. */
  days: readonly { day: Day; rows: number }[];
  /** How often something was cut, repeats included. */
  cuts: Cuts;
  /**
   * Writes those of a day as a part of it, each once, without those that are in the day's other parts already; nothing, if
   * that leaves none. With a limit of names, events of those that come last count as `OTHER_EVENTS`. Where one of the others
   * is sealed, a log with its device, time, session and name is the same.
   */
  write(
    day: Day,
    existing: readonly Part[],
    folder: string,
    options?: { mostNames?: number; hasSealed?: boolean },
  ): Promise<WrittenPart | undefined>;
  release(): Promise<void>;
}

/** Of some parts those that are still read, with the app of each. */
export type WhoseParts = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A machine that counts instead of a process of this server. */
export interface CountingServer {
  /** Without its user and password. */
  name: string;
  /** Why it does not; undefined if it does. */
  trouble: string | undefined;
}

/** Counts telemetry. One suite holds every implementation to the same answers. */
export interface Engine {
  /** The kinds of files that it reads to answer a question, of parts that it does not have otherwise. */
  kindsOf(question: QuestionName): readonly FileKind[];
  /** Which of some parts it has otherwise, so that it needs no file of them. */
  held(parts: readonly Pick<Part, 'id' | 'appId'>[]): Promise<ReadonlySet<string>>;
  /** Owners take turns (default: the app of the parts). */
  ask<Q extends Question>(question: Q, parts: readonly Part[], owner?: string): Promise<Answer<Q['ask']>>;
  stage(batches: Iterable<LogBatch> | AsyncIterable<LogBatch>, limits?: RowLimits): Promise<Staged>;
  /**
   * One part instead of several of a day, without what is forgotten. Of a sealed one, what tells repeats best is left away.
   * Nothing, if nothing is left.
   */
  merge(
    day: Day,
    parts: readonly Part[],
    folder: string,
    options?: { isSealed?: boolean },
  ): Promise<WrittenPart | undefined>;
  /** Rows of text as a Parquet file; each has all of these columns. */
  toParquet(columns: readonly string[], rows: Iterable<Readonly<Record<string, string>>>): Promise<Buffer>;
  /** Takes in large parts before anybody asks; behind its back, as whoever asks first does it at the latest. */
  prepare?(parts: readonly Part[]): void;
  /** Lets go of parts that it has otherwise and that nobody reads any more, or not there. */
  drop(whose: WhoseParts): Promise<void>;
  /** The machines that count instead of a process of this server. */
  servers(): Promise<readonly CountingServer[]>;
  /** Fails unless it can answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}
