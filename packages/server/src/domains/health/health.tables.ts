import type { Generated } from 'kysely';
import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { deliveryViews } from '../../outbound/delivery/delivery.tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { subscriptionsViews } from '../subscriptions/subscriptions.tables.ts';

/** One row: a number that increases with every change of health events and invalidates cached pages. */
export interface HealthVersionTable {
  id: number;
  version: number;
  changed_at: number;
}

/** A health event: columns for filters, and the JSON that is sent. */
export interface HealthEventsTable {
  seq: Generated<number>;
  /** The tracking ID, and its unique lower case. */
  name: string;
  name_key: string;
  /** Number of writes. */
  revision: number;
  /** Negated lastUpdateTime, so that newest first is the order of an index with ascending names. */
  sort_at: number;
  event_type: string;
  event_source: string;
  status: string;
  event_level: string;
  level: string;
  is_hir: Flag;
  priority: number;
  impact_start_at: number;
  /** One line per service (`s:`) and region (`r:`), in lower case; see `facets.ts`. */
  facets: string;
  /** One line per subscription and tenant that it names, and an empty line if it is for everyone. */
  audiences: string;
  /** Searchable text: title, tracking ID, services and regions. */
  search_key: string;
  /** The JSON that is sent, with marks where readers differ; see `rendering.ts`. */
  body: string;
}

/** Index of the events of an audience that have a facet, in order. */
export interface HealthIndexTable {
  audience: string;
  facet: string;
  sort_at: number;
  name: string;
  seq: number;
}

/** A change of a health event for webhooks, stored as long as their delivery log. */
export interface HealthChangesTable {
  id: string;
  /** The version of the events after this change; later changes have a higher one. */
  version: number;
  kind: 'published' | 'updated' | 'resolved' | 'withdrawn' | 'test';
  name: string;
  at: number;
  /** As in `health_events`: audiences of the event, and audiences that do not receive this change. */
  audiences: string;
  except: string;
  /** The event after the change, or before it if it was withdrawn. */
  body: string;
}

/** A webhook of a subscription. Its ID is also that of its endpoint, which has the other fields. */
export interface HealthWebhooksTable {
  id: string;
  subscription_id: string;
  created_by: string;
  /** OAuth client that created it, if any; it is deleted when the user revokes that consent. */
  oauth_client_id: string | null;
  /** Empty: every event. */
  filter: string;
}

/** A feed, readable without sign-in at a URL that contains a secret. */
export interface HealthFeedsTable {
  id: string;
  secret_hash: string;
  subscription_id: string;
  created_by: string;
  /** OAuth client that created it, if any; it is deleted when the user revokes that consent. */
  oauth_client_id: string | null;
  filter: string;
  created_at: number;
}

export const healthTables = defineTables<{
  health_version: HealthVersionTable;
  health_events: HealthEventsTable;
  health_index: HealthIndexTable;
  health_changes: HealthChangesTable;
  health_webhooks: HealthWebhooksTable;
  health_feeds: HealthFeedsTable;
}>({
  health_version: { counter: 'version' },
  health_events: {},
  health_index: {},
  health_changes: {},
  health_webhooks: { personal: { by: { created_by: 'userId' } } },
  health_feeds: { personal: { by: { created_by: 'userId' }, secret: ['secret_hash'] } },
});

const access = accessTo(healthTables, accountsViews, subscriptionsViews, deliveryViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
