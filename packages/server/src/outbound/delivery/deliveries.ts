import type { Ctx, Deps } from '../../context.ts';
import { inChunks } from '../../db/rows/chunks.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { deleteOldDeliveries, insertDeliveries } from './deliveries.store.ts';
import { type DisabledReason, sealOldUrls } from './endpoints.ts';
import type { Reads } from './reads.ts';

/** Retention of the log. */
export const DELIVERY_LIFE = 30 * DAY;

export const deliveriesSweep = defineSchedule('delivery.sweep', DAY);

/** A kind of messages of a domain. The domain creates their content; this module delivers them. */
export interface Channel {
  /** Stored with each endpoint. */
  readonly name: string;
  /** Finds the accounts that own endpoints. They share deliveries in progress fairly. */
  findOwners(ctx: Pick<Ctx, 'db'>, endpointIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Creates the message. Without one the delivery is cancelled, and with a reason the endpoint is disabled, too. */
  prepare(ctx: Ctx, delivery: Prepared, reads: Reads): Promise<{ message: Message } | { reason?: DisabledReason }>;
  /** Runs in the transaction that disables an endpoint. */
  onDisabled(ctx: Ctx, endpoint: { id: string; url: string }, reason: DisabledReason): Promise<void>;
}

export interface Prepared {
  endpointId: string;
  /** Subject of the message, as its domain identifies it. */
  sourceId: string;
  /** The same for all attempts and replays. */
  messageId: string;
}

export interface Message {
  contentType: string;
  body: string;
}

interface NewDeliveries {
  endpointIds: readonly string[];
  sourceId: string;
  /** For the log: the kind of event, and its subject. */
  kind: string;
  subject: string;
  /** Only for a replay: its number, and the ID of the original message. */
  replay?: number;
  messageId?: string;
}

/** Adds a delivery for each endpoint, once per subject. They are sent after the transaction. Returns their IDs. */
export async function addDeliveries(
  ctx: Ctx,
  { endpointIds, sourceId, kind, subject, replay = 0, messageId }: NewDeliveries,
): Promise<string[]> {
  if (!ctx.db.inTransaction) throw new Error(`a delivery of ${kind} was added outside a transaction`);
  const now = ctx.clock.now();
  const rows = endpointIds.map((endpointId) => {
    const id = ctx.newId();
    return {
      id,
      endpoint_id: endpointId,
      kind,
      subject,
      source_id: sourceId,
      replay,
      message_id: messageId ?? id,
      state: 'Waiting' as const,
      attempts: 0,
      due_at: now,
      lease: null,
      created_at: now,
      settled_at: null,
    };
  });
  await inChunks(rows, (some) => insertDeliveries(ctx.db, some));
  ctx.db.afterCommit(ctx.wakeJobs);
  return rows.map(({ id }) => id);
}

export async function addDelivery(
  ctx: Ctx,
  { endpointId, ...delivery }: Omit<NewDeliveries, 'endpointIds'> & { endpointId: string },
): Promise<string> {
  const [id = ''] = await addDeliveries(ctx, { ...delivery, endpointIds: [endpointId] });
  return id;
}

export async function sweepDeliveries(deps: Deps): Promise<void> {
  const before = deps.clock.now() - DELIVERY_LIFE;
  await sweep(deps, (db, limit) => deleteOldDeliveries.run(db, { before, limit }));
  await sealOldUrls(deps);
}
