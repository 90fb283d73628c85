import type { EndpointExamples } from '../endpoint/example.ts';
import { feedbackExampleId } from '../feedback/feedback.examples.ts';

const params = { owner_name: 'ada', app_name: 'compass', feedback_id: feedbackExampleId };
const ticket = {
  id: '43',
  url: 'https://github.example.com/ada/compass/issues/43',
  title: 'Feedback',
  bug_tracker_type: 'github',
  repo_name: 'ada/compass',
  event_type: 'feedbackReceived',
  state: 'open',
  created_at: '2026-11-01T09:00:00.000Z',
  checked_at: '2026-11-01T09:15:00.000Z',
} as const;

export const feedbackTicketsExamples = {
  feedbackTickets_get: { params, response: ticket },
  feedbackTickets_create: { params, body: {}, response: ticket },
  feedbackTickets_unlink: { params },
} satisfies EndpointExamples<typeof import('./feedback-tickets.contract.ts')>;
