import { exampleIds } from '../crashes/crashes.examples.ts';
import { feedbackExampleId } from '../feedback/feedback.examples.ts';
import type { Fixtures } from '../fixtures/fixtures.ts';
import { bugtracker_connect } from './bug-trackers.contract.ts';
import { bugTrackersExamples } from './bug-trackers.examples.ts';
import { feedbackTickets_create } from './feedback-tickets.contract.ts';
import { bugTracker_createIssue } from './tickets.contract.ts';

/** A bug tracker that fails immediately on every machine, and tickets to be created there. */
export async function addBugTracker({ ada, ids }: Fixtures): Promise<void> {
  const { params, body } = bugTrackersExamples.bugtracker_connect;
  const [base_url, event_types] = ['https://localhost/api/v3', [...body.event_types]];
  ids.set(body.base_url, base_url);
  await ada.call(bugtracker_connect, { params, body: { ...body, base_url, event_types } });
  const crash_group_id = ids.get(exampleIds.group) ?? '';
  await ada.call(bugTracker_createIssue, { params: { ...params, crash_group_id }, body: {} });
  const feedback_id = ids.get(feedbackExampleId) ?? '';
  await ada.call(feedbackTickets_create, { params: { ...params, feedback_id }, body: {} });
}
