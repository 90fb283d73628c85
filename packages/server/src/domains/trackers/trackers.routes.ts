import {
  bugTracker_createIssue,
  bugTracker_getRepoIssueFromCrash,
  bugTracker_unlinkIssue,
  bugtracker_check,
  bugtracker_connect,
  bugtracker_disconnect,
  bugtracker_getSettings,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import { type BugTracker, checkTracker, connectTracker, disconnectTracker, getTracker } from './bug-trackers.ts';
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

const ticketToWire = ({ row, tracker, groupId }: Ticket) => ({
  id: row.remote_id ?? undefined,
  url: row.url ?? undefined,
  title: row.title || undefined,
  bug_tracker_type: tracker.type,
  repo_name: tracker.project,
  mobile_center_id: groupId,
  event_type: 'newCrashGroupCreated',
  state: row.state,
  trouble: row.trouble ?? undefined,
  created_at: toIso(row.created_at),
  checked_at: row.checked_at === 0 ? undefined : toIso(row.checked_at),
});

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
    ticketToWire(await getTicket(ctx, params.crash_group_id)),
  ),
  route(bugTracker_createIssue, async (ctx, { params }) =>
    ticketToWire(await createTicket(ctx, params.crash_group_id)),
  ),
  route(bugTracker_unlinkIssue, (ctx, { params }) => unlinkTicket(ctx, params.crash_group_id)),
];
