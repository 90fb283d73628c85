import type { Generated } from 'kysely';
import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { deliveryTables } from '../../outbound/delivery/delivery.tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { subscriptionsTables } from '../subscriptions/subscriptions.tables.ts';

/** One row: a number that grows with every change of health events, so that remembered pages are known to be old. */
export interface HealthVersionTable {
  id: number;
  version: number;
  changed_at: number;
}

/** A health event: what filters ask for, and at the end what is sent. */
export interface HealthEventsTable {
  seq: Generated<number>;
  /** The tracking id, and its lower case, which is unique. */
  name: string;
  name_key: string;
  /** How often it was written. */
  revision: number;
  /** Minus lastUpdateTime, so that newest first is the order of an index in which names ascend. */
  sort_at: number;
  event_type: string;
  event_source: string;
  status: string;
  event_level: string;
  level: string;
  is_hir: Flag;
  priority: number;
  impact_start_at: number;
  /** A line each, for services (`s:`) and regions (`r:`) in lower case; see `facets.ts`. */
  facets: string;
  /** A line each: subscriptions and tenants that it names, and an empty one if it is for everyone. */
  audiences: string;
  /** Title, tracking id, services and regions, as they are searched. */
  search_key: string;
  /** The JSON that is sent, with marks where it differs from reader to reader; see `rendering.ts`. */
  body: string;
}

/** Where a listing finds the events of an audience that have a facet, in order. */
export interface HealthIndexTable {
  audience: string;
  facet: string;
  sort_at: number;
  name: string;
  seq: number;
}

/** A change of a health event that webhooks wait for, kept as long as their log of deliveries. */
export interface HealthChangesTable {
  id: string;
  /** The version of the events that it led to: later changes have a higher one. */
  version: number;
  kind: 'published' | 'updated' | 'resolved' | 'withdrawn' | 'test';
  name: string;
  at: number;
  /** As in `health_events`: whom it is for, and of those, whom not. */
  audiences: string;
  except: string;
  /** The event after the change, or before it if it was withdrawn. */
  body: string;
}

/** A webhook of a subscription; its id is that of its endpoint, where the rest of it stands. */
export interface HealthWebhooksTable {
  id: string;
  subscription_id: string;
  created_by: string;
  /** By which OAuth client its maker made it, if by one: it ends with what they allowed that client. */
  oauth_client_id: string | null;
  /** Empty: every event. */
  filter: string;
}

/** What is read without signing in, by an address that holds a secret. */
export interface HealthFeedsTable {
  id: string;
  secret_hash: string;
  subscription_id: string;
  created_by: string;
  /** By which OAuth client its maker made it, if by one: it ends with what they allowed that client. */
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

/** What stores of this domain can name. */
const access = accessTo(healthTables, accountsTables, subscriptionsTables, deliveryTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
