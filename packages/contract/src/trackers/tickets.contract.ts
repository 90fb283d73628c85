import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';
import { TrackerKind } from './bug-trackers.contract.ts';

export const Ticket = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The ID in the bug tracker. Absent until the ticket is created.' })),
    url: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    bug_tracker_type: Type.Optional(TrackerKind),
    repo_name: Type.Optional(Type.String()),
    mobile_center_id: Type.Optional(Type.String({ description: 'The ID of the crash group.' })),
    event_type: Type.Optional(Type.String()),
    state: Type.Enum(['waiting', 'open', 'closed', 'failed'], {
      description: '`waiting`: not created yet. `failed`: rejected or deleted.',
    }),
    trouble: Type.Optional(Type.String({ description: 'Why the ticket is waiting or has failed.' })),
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
  summary: 'Get the ticket of a crash group',
  description: 'All groups of an issue, across versions of the app, share a ticket.',
  response: json(Ticket, { description: 'The ticket.' }),
  errors: [404],
});

export const bugTracker_createIssue = endpoint({
  ...one,
  id: 'bugTracker_createIssue',
  method: 'POST',
  access: 'app:developer',
  effect: 'change',
  summary: 'Create a ticket of a crash group in the bug tracker of its app',
  description: 'Each issue has one ticket: returns an existing ticket, and retries a failed one.',
  request: json(Type.Object({})),
  response: json(Ticket, { status: 202, description: 'The ticket. It is created in the background.' }),
  errors: [404, 409],
});

export const bugTracker_unlinkIssue = endpoint({
  ...one,
  id: 'bugTracker_unlinkIssue',
  method: 'DELETE',
  access: 'app:developer',
  effect: 'change',
  summary: 'Unlink the ticket of a crash group; it stays in the bug tracker',
  response: empty({ description: 'The ticket is unlinked.' }),
  errors: [404],
});
