import { defineJob } from '../../../../jobs/index.ts';

/** Reports to reprocess: selected ones, those of selected groups, failed ones, or all of an app. */
export interface Scope {
  reportIds?: string[];
  groupIds?: string[];
  isFailed?: boolean;
}

/** A run over many reports, whose progress users can see. */
export interface Run {
  id: string;
  reason: 'requested' | 'rules' | 'symbols';
}

export const reportsReprocess = defineJob<{ appId: string; scope: Scope; run?: Run }>('crash_reports.reprocess');
