import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';
import { TrackerKind } from './bug-trackers.contract.ts';

export const Ticket = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'As the bug tracker calls it; absent until it is made.' })),
    url: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    bug_tracker_type: Type.Optional(TrackerKind),
    repo_name: Type.Optional(Type.String()),
    mobile_center_id: Type.Optional(Type.String({ description: 'Of the group of crashes.' })),
    event_type: Type.Optional(Type.String()),
    state: Type.Enum(['waiting', 'open', 'closed', 'failed'], {
      description: 'Waiting: it is still to be made. Failed: it was refused, or is gone.',
    }),
    trouble: Type.Optional(Type.String({ description: 'Why it waits or failed.' })),
    created_at: Time,
    checked_at: Type.Optional(Type.String({ format: 'date-time', description: 'When its state was last read.' })),
  },
  { $id: 'Ticket' },
);

const one = {
  tag: 'trackers',
  errorShape: 'traced',
  path: '/v0.1/apps/{owner_name}/{app_name}/bugtracker/crashGroup/{crash_group_id}',
  params: Type.Object({ ...AppPath, crash_group_id: Type.String({ minLength: 1, maxLength: 128 }) }),
} as const;

export const bugTracker_getRepoIssueFromCrash = endpoint({
  ...one,
  id: 'bugTracker_getRepoIssueFromCrash',
  method: 'GET',
  access: 'app:viewer',
  effect: 'read',
  summary: 'Returns the ticket of a crash group',
  description: 'Groups of one issue, over all versions of the app, share it.',
  response: json(Ticket, { description: 'The ticket.' }),
  errors: [404],
});

export const bugTracker_createIssue = endpoint({
  ...one,
  id: 'bugTracker_createIssue',
  method: 'POST',
  access: 'app:developer',
  effect: 'change',
  summary: 'Makes a ticket of a crash group in the bug tracker of its app',
  description: 'There is one for each issue: what is there is answered, and one that failed is tried again.',
  request: json(Type.Object({})),
  response: json(Ticket, { status: 202, description: 'The ticket; it is made soon.' }),
  errors: [404, 409],
});

export const bugTracker_unlinkIssue = endpoint({
  ...one,
  id: 'bugTracker_unlinkIssue',
  method: 'DELETE',
  access: 'app:developer',
  effect: 'change',
  summary: 'Forgets the ticket of a crash group; it stays in the bug tracker',
  response: empty({ description: 'The group has no ticket.' }),
  errors: [404],
});
