import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { deliveryViews } from '../../outbound/delivery/delivery.tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** An event of an app or an organization, stored as long as its delivery log. */
export interface AnnouncementsTable {
  id: string;
  type: string;
  app_id: string | null;
  /** Null for an event of an app. */
  org_id: string | null;
  /** Key that prevents announcing the same event again. */
  once_key: string | null;
  is_test: Flag;
  at: number;
  /** JSON: data of the event. */
  data: string;
}

/** A webhook of an app or organization. Its ID is also that of its endpoint, which has the other fields. */
export interface WebhooksTable {
  id: string;
  app_id: string | null;
  org_id: string | null;
  name: string;
  /** JSON. */
  event_types: string;
  format: 'cloudevents' | 'plain' | 'slack' | 'teams';
  /** Empty: all events of these types. */
  filter: string;
}

export const webhooksTables = defineTables<{ announcements: AnnouncementsTable; webhooks: WebhooksTable }>({
  announcements: {},
  webhooks: {},
});

const access = accessTo(webhooksTables, accountsViews, appsViews, deliveryViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;

/** The channel for `outbound/delivery`. */
export const CHANNEL = 'webhooks';
