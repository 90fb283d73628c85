import type { CrashReportsTable } from '../crashes.tables.ts';
import type { Grouping } from '../grouping/grouping-key.ts';

/** A report and its grouping. */
export interface Assigned {
  report: Pick<CrashReportsTable, 'id' | 'kind' | 'version' | 'build' | 'at'>;
  grouping: Grouping;
  /** Its previous group: a new group takes over its state and note. */
  from?: string | null;
  /** Imported from another server, so it is not announced. */
  isHistory?: boolean;
}

export interface GroupRef {
  groupId: string;
  issueId: string;
}
