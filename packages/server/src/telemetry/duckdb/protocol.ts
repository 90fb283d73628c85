import type { Part, PartFiles } from '../engine.ts';
import type { Day, Question } from '../questions.ts';
import type { RowsOut } from './rows-out.ts';

/** What the child is started with. */
export interface ChildOptions {
  memoryMb: number;
  threads: number;
  /** The only place of the disk that it may read and write. */
  folder: string;
  /** Its own place in there. */
  workFolder: string;
}

/** Files with a line of JSON for each log, and for each sender that logs name by its number. */
export interface StagedLines {
  logs: string;
  senders: string;
}

/** What the child can be told to do. */
export type Order =
  | { do: 'ask'; question: Question; parts: readonly Part[] }
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
