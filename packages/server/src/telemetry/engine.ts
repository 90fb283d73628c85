import type { Answer, Day, Question } from './questions.ts';

/** What a day's logs are kept in: all of them, and two smaller extracts that most questions can be answered from. */
export const fileKinds = ['logs', 'devices', 'sessions'] as const;
export type FileKind = (typeof fileKinds)[number];

export type PartFiles = Readonly<Record<FileKind, string>>;

/** Files of one day, on this machine. A day may have several parts; together they hold each log once. */
export interface Part extends PartFiles {
  /** Events whose names, and all they say, are to be as if they had never been; only that something happened stays. */
  readonly forgotten?: readonly string[];
}

export interface WrittenPart {
  day: Day;
  /** How many logs it holds. */
  rows: number;
  files: PartFiles;
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
  }[];
}

/** Logs that were read and are not written yet. */
export interface Staged {
  /** How many logs there are of each day, repeats included. */
  days: readonly { day: Day; rows: number }[];
  /**
   * Writes those of a day as a part of it, each once, without those that are in the day's other parts already; nothing, if
   * that leaves none.
   */
  write(day: Day, existing: readonly Part[], folder: string): Promise<WrittenPart | undefined>;
  release(): Promise<void>;
}

/** Counts telemetry. One suite holds every implementation to the same answers. */
export interface Engine {
  ask<Q extends Question>(question: Q, parts: readonly Part[]): Promise<Answer<Q['ask']>>;
  stage(batches: Iterable<LogBatch> | AsyncIterable<LogBatch>): Promise<Staged>;
  /**
   * One part instead of several of a day, without what is forgotten, and without a device if that is to go. A sealed one
   * takes no more logs beside it, as what tells repeats is left away. Nothing, if nothing is left.
   */
  merge(
    day: Day,
    parts: readonly Part[],
    folder: string,
    options?: { isSealed?: boolean; withoutInstall?: string },
  ): Promise<WrittenPart | undefined>;
  close(): Promise<void>;
}
