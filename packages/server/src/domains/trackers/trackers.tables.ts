import type { TrackerType } from '@mooring/contract';
import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** The bug tracker of an app. */
export interface BugTrackersTable {
  app_id: string;
  id: string;
  type: TrackerType;
  base_url: string;
  project: string;
  user_name: string | null;
  /** Sealed. */
  token: string;
  label: string | null;
  item_type: string | null;
  /** The first crash of an issue creates a ticket. */
  is_automatic: Flag;
  /** The issue is closed and reopened with its ticket. */
  follows_state: Flag;
  /** The ticket is closed and reopened with its issue. */
  closes_tickets: Flag;
  state: 'enabled' | 'disabled' | 'unauthorized';
  trouble: string | null;
  /** JSON: properties of the project. */
  found: string;
  checked_at: number | null;
  /** User who sent the token; null for an app token. */
  connected_by: string | null;
}

export type TicketState = 'waiting' | 'open' | 'closed' | 'failed';

/** The ticket of an issue, or of feedback. */
export interface TicketsTable {
  /** Also the mark that identifies it in the tracker. */
  id: string;
  app_id: string;
  subject: 'issue' | 'feedback';
  /** ID of the issue, or of the feedback. */
  issue_id: string;
  /** The group that it was created for: issues may be merged. For feedback, its ID. */
  group_id: string;
  title: string;
  state: TicketState;
  remote_id: string | null;
  url: string | null;
  trouble: string | null;
  created_at: number;
  /** First attempt to create it: it may exist since then. */
  tried_at: number | null;
  /** A worker has claimed it until this time. */
  held_until: number;
  /** Time of the last check of its state; 0 if never. */
  checked_at: number;
}

export const trackersTables = defineTables<{ bug_trackers: BugTrackersTable; tickets: TicketsTable }>({
  bug_trackers: { personal: { by: { connected_by: 'userId' }, secret: ['token'] } },
  tickets: {},
});

export const { insertInto, query, statement, updateRow } = accessTo(trackersTables, appsViews);
