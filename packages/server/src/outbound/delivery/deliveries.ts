import type { Ctx, Deps } from '../../context.ts';
import { inChunks } from '../../db/chunks.ts';
import { sweep } from '../../db/sweep.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { deleteOldDeliveries, insertDeliveries } from './deliveries.store.ts';
import { type DisabledReason, sealOldUrls } from './endpoints.ts';
import type { Reads } from './reads.ts';

/** How long the log is kept. */
export const DELIVERY_LIFE = 30 * DAY;

export const deliveriesSweep = defineSchedule('delivery.sweep', DAY);

/** What a domain has to say to addresses of others; this room does the rest and does not know what it means. */
export interface Channel {
  /** Stands with each of its endpoints. */
  readonly name: string;
  /** Finds the accounts that endpoints belong to, which share the deliveries under way fairly. */
  findOwners(ctx: Pick<Ctx, 'db'>, endpointIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What is sent now. Without a message nothing is, and with a reason the endpoint is disabled. */
  prepare(ctx: Ctx, delivery: Prepared, reads: Reads): Promise<{ message: Message } | { reason?: DisabledReason }>;
  /** In the transaction in which the server itself disabled an endpoint. */
  onDisabled(ctx: Ctx, endpoint: { id: string; url: string }, reason: DisabledReason): Promise<void>;
}

export interface Prepared {
  endpointId: string;
  /** What it tells of, in the words of its domain. */
  sourceId: string;
  /** The same through every attempt and replay. */
  messageId: string;
}

export interface Message {
  contentType: string;
  body: string;
}

interface NewDeliveries {
  endpointIds: readonly string[];
  sourceId: string;
  /** For the log: what happened, and to what. */
  kind: string;
  subject: string;
  /** Of a repetition: which one, and the message that is repeated. */
  replay?: number;
  messageId?: string;
}

/** Writes down that something goes to endpoints, once to each; it is sent after the transaction. Says under which ids. */
export async function addDeliveries(
  ctx: Ctx,
  { endpointIds, sourceId, kind, subject, replay = 0, messageId }: NewDeliveries,
): Promise<string[]> {
  if (!ctx.db.inTransaction)
    throw new Error(`a delivery of ${kind} was added outside the transaction that asks for it`);
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
