import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { Ticket } from './tickets.contract.ts';

/** None of these operations is in the API of App Center. */
const one = {
  tag: 'trackers',
  path: '/v0.1/apps/{owner_name}/{app_name}/feedback/{feedback_id}/ticket',
  params: Type.Object({ ...AppPath, feedback_id: Type.String({ minLength: 1, maxLength: 100 }) }),
} as const;

export const feedbackTickets_get = endpoint({
  ...one,
  id: 'feedbackTickets_get',
  method: 'GET',
  access: 'app:viewer',
  effect: 'read',
  summary: 'Get the ticket of feedback',
  response: json(Ticket, { description: 'The ticket.' }),
  errors: [404],
});

export const feedbackTickets_create = endpoint({
  ...one,
  id: 'feedbackTickets_create',
  method: 'POST',
  access: 'app:developer',
  effect: 'change',
  summary: 'Create a ticket of feedback in the bug tracker of its app',
  description:
    'Feedback has one ticket: returns an existing ticket, and retries a failed one. The ticket has the text and the device, but neither name nor address of the sender.',
  request: json(Type.Object({})),
  response: json(Ticket, { status: 202, description: 'The ticket. It is created in the background.' }),
  errors: [404, 409],
});

export const feedbackTickets_unlink = endpoint({
  ...one,
  id: 'feedbackTickets_unlink',
  method: 'DELETE',
  access: 'app:developer',
  effect: 'change',
  summary: 'Unlink the ticket of feedback; it stays in the bug tracker',
  response: empty({ description: 'The ticket is unlinked.' }),
  errors: [404],
});
