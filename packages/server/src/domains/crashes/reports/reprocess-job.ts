import { defineJob } from '../../../jobs/index.ts';

/** Which reports are processed again: some, those of some groups, those that could not be, or all of an app. */
export interface Scope {
  reportIds?: string[];
  groupIds?: string[];
  isFailed?: boolean;
}

export const reportsReprocess = defineJob<{ appId: string; scope: Scope }>('crash_reports.reprocess');
