import {
  bugTracker_createIssue,
  bugTracker_getRepoIssueFromCrash,
  bugTracker_unlinkIssue,
  bugtracker_check,
  bugtracker_connect,
  bugtracker_disconnect,
  bugtracker_getSettings,
  feedbackTickets_create,
  feedbackTickets_get,
  feedbackTickets_unlink,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import { type BugTracker, checkTracker, connectTracker, disconnectTracker, getTracker } from './bug-trackers.ts';
import {
  createFeedbackTicket,
  type FeedbackTicket,
  getFeedbackTicket,
  unlinkFeedbackTicket,
} from './feedback-tickets.ts';
import { createTicket, getTicket, type Ticket, unlinkTicket } from './tickets.ts';

const foundCodec = jsonCodec('bug_trackers.found', objectOutline<Record<never, never>>());

const trackerToWire = ({ row, waiting }: BugTracker) => ({
  type: row.type,
  state: row.state,
  token_id: row.id,
  event_types: row.is_automatic === 1 ? ['newCrashGroupCreated' as const] : [],
  settings: {
    type: row.type,
    owner_name: row.project.split('/')[0] ?? '',
    ...(row.type === 'github' && row.label ? { github_label: row.label } : {}),
    ...foundCodec.parse(row.found),
  },
  base_url: row.base_url,
  project: row.project,
  user_name: row.user_name ?? undefined,
  label: row.label ?? undefined,
  item_type: row.item_type ?? undefined,
  follows_state: row.follows_state === 1,
  closes_tickets: row.closes_tickets === 1,
  trouble: row.trouble ?? undefined,
  checked_at: row.checked_at === null ? undefined : toIso(row.checked_at),
  waiting_tickets: waiting,
});

const ticketToWire = ({ row, tracker }: Omit<Ticket, 'groupId'>) => ({
  id: row.remote_id ?? undefined,
  url: row.url ?? undefined,
  title: row.title || undefined,
  bug_tracker_type: tracker.type,
  repo_name: tracker.project,
  state: row.state,
  trouble: row.trouble ?? undefined,
  created_at: toIso(row.created_at),
  checked_at: row.checked_at === 0 ? undefined : toIso(row.checked_at),
});

const issueTicketToWire = (ticket: Ticket) => ({
  ...ticketToWire(ticket),
  mobile_center_id: ticket.groupId,
  event_type: 'newCrashGroupCreated',
});

const feedbackTicketToWire = (ticket: FeedbackTicket) => ({ ...ticketToWire(ticket), event_type: 'feedbackReceived' });

export const trackerRoutes = [
  route(bugtracker_getSettings, async (ctx) => trackerToWire(await getTracker(ctx))),
  route(bugtracker_connect, async (ctx, { body }) =>
    trackerToWire(
      await connectTracker(ctx, {
        type: body.type,
        project: body.project,
        baseUrl: body.base_url,
        token: body.token,
        userName: body.user_name,
        isAutomatic: body.event_types?.includes('newCrashGroupCreated') ?? false,
        followsState: body.follows_state ?? true,
        closesTickets: body.closes_tickets ?? false,
        label: body.label,
        itemType: body.item_type,
      }),
    ),
  ),
  route(bugtracker_check, async (ctx) => trackerToWire(await checkTracker(ctx))),
  route(bugtracker_disconnect, (ctx) => disconnectTracker(ctx)),
  route(bugTracker_getRepoIssueFromCrash, async (ctx, { params }) =>
    issueTicketToWire(await getTicket(ctx, params.crash_group_id)),
  ),
  route(bugTracker_createIssue, async (ctx, { params }) =>
    issueTicketToWire(await createTicket(ctx, params.crash_group_id)),
  ),
  route(bugTracker_unlinkIssue, (ctx, { params }) => unlinkTicket(ctx, params.crash_group_id)),
  route(feedbackTickets_get, async (ctx, { params }) =>
    feedbackTicketToWire(await getFeedbackTicket(ctx, params.feedback_id)),
  ),
  route(feedbackTickets_create, async (ctx, { params }) =>
    feedbackTicketToWire(await createFeedbackTicket(ctx, params.feedback_id)),
  ),
  route(feedbackTickets_unlink, (ctx, { params }) => unlinkFeedbackTicket(ctx, params.feedback_id)),
];
