import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, defineViews, type Flag } from '../../db/tables.ts';

/** Target of a channel's messages. */
export interface DeliveryEndpointsTable {
  id: string;
  channel: string;
  /** The origin, with a slash. In rows of an earlier version, the whole URL. */
  url: string;
  /** The whole URL, sealed, because it may contain a secret of the receiver. */
  sealed_url: string | null;
  /** Both sealed. The old secret is valid until `old_secret_until`. */
  secret: string;
  old_secret: string | null;
  old_secret_until: number;
  is_enabled: Flag;
  /** Set if the server disabled it. */
  disabled_reason: 'Failing' | 'Gone' | 'AccessLost' | null;
  /** Time of the first failure since the last success. */
  failing_since: number | null;
  created_at: number;
  updated_at: number;
}

/** A message for an endpoint. */
export interface DeliveriesTable {
  id: string;
  endpoint_id: string;
  /** For the log: the kind of event, and its subject. */
  kind: string;
  subject: string;
  /** Subject of the message, as its channel identifies it. */
  source_id: string;
  /** Number of the replay; 0 for the first delivery of a subject to an endpoint. */
  replay: number;
  /** The same for all replays. */
  message_id: string;
  state: 'Waiting' | 'Delivered' | 'Failed' | 'Cancelled';
  /** Number of claims. */
  attempts: number;
  /** When a process may claim it; while it is being sent, the end of the lease. Null once it has ended. */
  due_at: number | null;
  /** The process that sends it. */
  lease: string | null;
  created_at: number;
  settled_at: number | null;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  number: number;
  at: number;
  ms: number;
  /** Status of the response; null with an error. */
  status: number | null;
  error: string | null;
  /** Start of the body of an unsuccessful response. */
  answer: string | null;
}

export const deliveryTables = defineTables<{
  delivery_endpoints: DeliveryEndpointsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
}>({
  delivery_endpoints: {},
  deliveries: {},
  delivery_attempts: {},
});

/** Published for domains with channels. */
export const deliveryViews = defineViews<{ channel_endpoints: DeliveryEndpointsTable }>();

const access = accessTo(deliveryTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
