import type { Generated } from 'kysely';
import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
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

export interface WebhooksTable {
  id: string;
  subscription_id: string;
  created_by: string;
  /** By which OAuth client its maker made it, if by one: it ends with what they allowed that client. */
  oauth_client_id: string | null;
  url: string;
  /** Empty: every event. */
  filter: string;
  /** Both sealed; the old one counts until then. */
  secret: string;
  old_secret: string | null;
  old_secret_until: number;
  is_enabled: Flag;
  /** Set when the server disabled it. */
  disabled_reason: 'Failing' | 'Gone' | 'AccessLost' | null;
  /** The first failure since the last success. */
  failing_since: number | null;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveriesTable {
  id: string;
  webhook_id: string;
  change_id: string;
  /** 0, or which repetition it is: a change goes to a webhook once by itself. */
  replay: number;
  /** The same for all repetitions. */
  message_id: string;
  state: 'Waiting' | 'Delivered' | 'Failed' | 'Cancelled';
  attempts: number;
  created_at: number;
  settled_at: number | null;
}

export interface WebhookAttemptsTable {
  delivery_id: string;
  number: number;
  at: number;
  ms: number;
  /** Of the answer, or why there was none. */
  status: number | null;
  error: string | null;
  /** The beginning of an answer that was no success. */
  answer: string | null;
}

/** What is read without signing in, by an address that holds a secret. */
export interface FeedsTable {
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
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  feeds: FeedsTable;
}>({
  health_version: { counter: 'version' },
  health_events: {},
  health_index: {},
  health_changes: {},
  webhooks: {},
  webhook_deliveries: {},
  webhook_attempts: {},
  feeds: {},
});

/** What stores of this domain can name. */
const access = accessTo(healthTables, accountsTables, subscriptionsTables);
export const { statement, query } = access;
export type Tables = TablesOf<typeof access>;
