import { defineJob } from '../../../jobs/index.ts';

/** Which reports are processed again: some, those of some groups, those that could not be, or all of an app. */
export interface Scope {
  reportIds?: string[];
  groupIds?: string[];
  isFailed?: boolean;
}

/** Why many are, of which people are told how far it is. */
export interface Run {
  id: string;
  reason: 'requested' | 'rules' | 'symbols';
}

export const reportsReprocess = defineJob<{ appId: string; scope: Scope; run?: Run }>('crash_reports.reprocess');
