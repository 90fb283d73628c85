import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { deliveryTables } from '../../outbound/delivery/delivery.tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** Something that happened to an app or an organization, kept as long as the log of its deliveries. */
export interface AnnouncementsTable {
  id: string;
  type: string;
  app_id: string | null;
  /** Null if it happened to an app. */
  org_id: string | null;
  /** Of what is told once, however often it is found. */
  once_key: string | null;
  is_test: Flag;
  at: number;
  /** JSON: what is told. */
  data: string;
}

/** A webhook of an app or of an organization; its id is that of its endpoint, where the rest of it stands. */
export interface WebhooksTable {
  id: string;
  app_id: string | null;
  org_id: string | null;
  name: string;
  /** JSON. */
  event_types: string;
  format: 'cloudevents' | 'plain' | 'slack' | 'teams';
  /** Empty: everything of these types. */
  filter: string;
}

export const webhooksTables = defineTables<{ announcements: AnnouncementsTable; webhooks: WebhooksTable }>({
  announcements: {},
  webhooks: {},
});

/** What stores of this domain can name. */
const access = accessTo(webhooksTables, accountsTables, appsTables, deliveryTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;

/** The channel of the delivery room. */
export const CHANNEL = 'webhooks';
