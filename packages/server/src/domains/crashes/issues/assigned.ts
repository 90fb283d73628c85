import type { CrashReportsTable } from '../crashes.tables.ts';
import type { Grouping } from '../grouping/grouping-key.ts';

/** A report and why it belongs where it does. */
export interface Assigned {
  report: Pick<CrashReportsTable, 'id' | 'kind' | 'version' | 'build' | 'at'>;
  grouping: Grouping;
  /** The group that it was in: a new one takes over its state and note. */
  from?: string | null;
  /** It is of the past, and nobody is told of it. */
  isHistory?: boolean;
}

export interface GroupRef {
  groupId: string;
  issueId: string;
}
