import type { TrackerType } from '@mooring/contract';
import type { Ticket } from '../../api/telemetry/trackers.ts';

export const trackerLabels: Record<TrackerType, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  vsts: 'Azure DevOps',
  jira: 'Jira',
};

/** Completes a sentence about a ticket. */
export const ticketStateLabels: Record<Ticket['state'], string> = {
  waiting: 'is being created',
  open: 'is open',
  closed: 'is closed',
  failed: 'failed',
};
