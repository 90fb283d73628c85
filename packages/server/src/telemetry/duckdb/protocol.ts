import type { Part, PartFiles } from '../engine.ts';
import type { Day, TelemetryQuery } from '../queries.ts';
import type { RowsOut } from './rows-out.ts';

/** Arguments of the child process. */
export interface ChildOptions {
  memoryMb: number;
  threads: number;
  /** The only folder that it may read and write. */
  folder: string;
  /** Its own folder within that one. */
  workFolder: string;
}

/** Files with one JSON line per log, and one per source; logs refer to sources by number. */
export interface StagedLines {
  logs: string;
  sources: string;
}

/** Requests to the child process. */
export type Order =
  | { do: 'ask'; query: TelemetryQuery; parts: readonly Part[] }
  | { do: 'stage'; stage: string; lines: StagedLines }
  | {
      do: 'write';
      stage: string;
      day: Day;
      existing: readonly Part[];
      files: PartFiles;
      mostNames: number;
      hasSealed: boolean;
    }
  | { do: 'release'; stage: string }
  | { do: 'rows'; parts: readonly Omit<RowsOut, 'total'>[]; file: string }
  | { do: 'table'; columns: readonly string[]; lines: string; file: string }
  | { do: 'merge'; day: Day; parts: readonly Part[]; files: PartFiles; isSealed: boolean };

export interface Request {
  id: number;
  limitMs: number;
  order: Order;
}

export type Reply = { id: number; result: unknown } | { id: number; error: string; isTimeout: boolean };
