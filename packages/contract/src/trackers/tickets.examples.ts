import { exampleIds } from '../crashes/crashes.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass', crash_group_id: exampleIds.group };
const ticket = {
  id: '42',
  url: 'https://github.example.com/ada/compass/issues/42',
  title: 'Crash: java.lang.IllegalStateException: cart empty',
  bug_tracker_type: 'github',
  repo_name: 'ada/compass',
  mobile_center_id: exampleIds.group,
  event_type: 'newCrashGroupCreated',
  state: 'open',
  created_at: '2026-11-01T09:00:00.000Z',
  checked_at: '2026-11-01T09:15:00.000Z',
} as const;

export const ticketsExamples = {
  bugTracker_getRepoIssueFromCrash: { params, response: ticket },
  bugTracker_createIssue: { params, body: {}, response: ticket },
  bugTracker_unlinkIssue: { params },
} satisfies EndpointExamples<typeof import('./tickets.contract.ts')>;
