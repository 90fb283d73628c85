import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';

/** Where a channel's messages go. */
export interface DeliveryEndpointsTable {
  id: string;
  channel: string;
  /** Only where it leads: the origin, with a slash. The whole address, for those that an earlier version made. */
  url: string;
  /** Sealed: the whole address, which may hold a secret of its receiver. */
  sealed_url: string | null;
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

/** A message on its way to an endpoint. */
export interface DeliveriesTable {
  id: string;
  endpoint_id: string;
  /** For the log: what happened, and to what. */
  kind: string;
  subject: string;
  /** Of what the channel makes the message. */
  source_id: string;
  /** 0, or which repetition it is: by itself something goes to an endpoint once. */
  replay: number;
  /** The same for all repetitions. */
  message_id: string;
  state: 'Waiting' | 'Delivered' | 'Failed' | 'Cancelled';
  /** How often it was taken. */
  attempts: number;
  /** From when on anybody may take it: while it is sent, the end of its lease. Null: it is settled. */
  due_at: number | null;
  /** Who sends it. */
  lease: string | null;
  created_at: number;
  settled_at: number | null;
}

export interface DeliveryAttemptsTable {
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

export const deliveryTables = defineTables<{
  delivery_endpoints: DeliveryEndpointsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
}>({
  delivery_endpoints: {},
  deliveries: {},
  delivery_attempts: {},
});

const access = accessTo(deliveryTables);
/** What stores of this room can name. */
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
