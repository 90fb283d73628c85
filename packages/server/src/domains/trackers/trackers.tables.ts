import type { TrackerType } from '@mooring/contract';
import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** Where tickets of an app are made. */
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
  /** The first crash of an issue makes a ticket. */
  is_automatic: Flag;
  /** The issue closes and opens with its ticket. */
  follows_state: Flag;
  /** And the ticket with its issue. */
  closes_tickets: Flag;
  state: 'enabled' | 'disabled' | 'unauthorized';
  trouble: string | null;
  /** JSON: what it says of its project. */
  found: string;
  checked_at: number | null;
  /** Who gave the token; null if a token of the app did. */
  connected_by: string | null;
}

export type TicketState = 'waiting' | 'open' | 'closed' | 'failed';

/** The ticket of an issue. */
export interface TicketsTable {
  /** Also the mark by which it is found again in the tracker. */
  id: string;
  app_id: string;
  issue_id: string;
  /** For which group it was made: issues may be merged. */
  group_id: string;
  title: string;
  state: TicketState;
  remote_id: string | null;
  url: string | null;
  trouble: string | null;
  created_at: number;
  /** When it was first tried to make it: since then it may be there. */
  tried_at: number | null;
  /** Until when nobody else makes it. */
  held_until: number;
  /** When its state was last read; 0 if never. */
  checked_at: number;
}

export const trackersTables = defineTables<{ bug_trackers: BugTrackersTable; tickets: TicketsTable }>({
  bug_trackers: { personal: { by: { connected_by: 'userId' }, secret: ['token'] } },
  tickets: {},
});

/** What stores of this domain can name. */
export const { insertInto, query, statement, updateRow } = accessTo(trackersTables, appsTables);
