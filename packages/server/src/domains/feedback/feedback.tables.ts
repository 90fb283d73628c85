import type { feedbackSources, feedbackStates } from '@mooring/contract';
import { accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

export type FeedbackState = (typeof feedbackStates)[number];
export type FeedbackSource = (typeof feedbackSources)[number];

export interface FeedbackTable {
  id: string;
  app_id: string;
  /** ID from the SDK, otherwise the same as `id`. A message with a known ID is not stored again. */
  sent_id: string;
  source: FeedbackSource;
  state: FeedbackState;
  text: string;
  name: string | null;
  /** Not verified; always in the form of an address. */
  email: string | null;
  /** The signed-in tester who wrote it. */
  sender_id: string | null;
  assignee_id: string | null;
  /** In lower case. */
  install_id: string | null;
  user_id: string | null;
  session_id: string | null;
  /** ID of the crash or error, as the SDK sent it. */
  event_id: string | null;
  /** Known if it was written on an install page. */
  release_id: number | null;
  version: string;
  build: string;
  model: string;
  os: string;
  locale: string;
  url: string;
  /** By the clock of the device. */
  created_at: number;
  received_at: number;
}

export interface FeedbackPicturesTable {
  id: string;
  app_id: string;
  feedback_id: string;
  sent_id: string;
  /** Only a ready picture is served: it was drawn again. */
  state: 'waiting' | 'ready' | 'refused';
  note: string;
  /** The picture as it was sent while it waits; empty if it was refused. */
  blob_key: string;
  type: string;
  width: number;
  height: number;
  size: number;
  created_at: number;
}

export interface FeedbackRepliesTable {
  id: string;
  feedback_id: string;
  author_id: string | null;
  to: string;
  text: string;
  sent_at: number;
}

/** Messages of an app, or of one address to an app, within an hour. */
export interface FeedbackCountsTable {
  /** The app, or a hash of app and address. */
  subject: string;
  /** Hours since 1970. */
  hour: number;
  count: number;
}

export const feedbackTables = defineTables<{
  feedback: FeedbackTable;
  feedback_pictures: FeedbackPicturesTable;
  feedback_replies: FeedbackRepliesTable;
  feedback_counts: FeedbackCountsTable;
}>({
  feedback: {
    personal: {
      by: {
        sender_id: { holds: 'userId', erase: { sender_id: 'null', name: 'null', email: 'null' } },
        assignee_id: { holds: 'userId', erase: { assignee_id: 'null' } },
        email: { holds: 'email', erase: { name: 'null', email: 'null' } },
      },
    },
  },
  feedback_pictures: {},
  feedback_replies: {
    personal: {
      by: { author_id: { holds: 'userId', erase: { author_id: 'null' } }, to: { holds: 'email', erase: 'row' } },
    },
  },
  feedback_counts: { backup: false },
});

export const { insertInto, query, statement, updateRow } = accessTo(feedbackTables, accountsViews, appsViews);
