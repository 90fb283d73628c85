import type { Ctx } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList } from '../../kernel/paging.ts';
import {
  countWaiting,
  type DeliveryRow,
  findDeliveryRow,
  findNewestVersion,
  lastReplay,
  listAttempts,
  pageDeliveries,
} from './deliveries.store.ts';
import { addDelivery } from './deliveries.ts';

export interface Attempt {
  at: number;
  ms: number;
  status: number | undefined;
  error: string | undefined;
  answer: string | undefined;
}

export interface Delivery {
  id: string;
  messageId: string;
  kind: string;
  subject: string;
  state: DeliveryRow['state'];
  isReplay: boolean;
  createdAt: number;
  settledAt: number | undefined;
  attempts: Attempt[];
}

const toDelivery = (row: DeliveryRow, attempts: Attempt[] = []): Delivery => ({
  id: row.id,
  messageId: row.message_id,
  kind: row.kind,
  subject: row.subject,
  state: row.state,
  isReplay: row.replay > 0,
  createdAt: row.created_at,
  settledAt: row.settled_at ?? undefined,
  attempts,
});

async function withAttempts(db: Db, rows: DeliveryRow[]): Promise<Delivery[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
  for (const { delivery_id, at, ms, status, error, answer } of ids.length > 0 ? await listAttempts(db, ids) : []) {
    const attempt = { at, ms, status: status ?? undefined, error: error ?? undefined, answer: answer ?? undefined };
    attempts.get(delivery_id)?.push(attempt);
  }
  return rows.map((row) => toDelivery(row, attempts.get(row.id)));
}

const sorts = { created_at: 'time', state: 'name', subject: 'name', attempts: 'rank' } as const;

/** Lists the deliveries of an endpoint, newest first by default. */
export async function listDeliveries(
  { db }: Pick<Ctx, 'db'>,
  endpointId: string,
  input: ListInput<keyof typeof sorts>,
): Promise<Page<Delivery>> {
  const page = await readList(
    input,
    sorts,
    (listing) => pageDeliveries(db, endpointId, listing),
    (row) => row,
  );
  return { ...page, values: await withAttempts(db, page.values) };
}

/** Changes whenever one of the newest deliveries is added, attempted or ended. */
export const newestDeliveriesVersion = async (ctx: Pick<Ctx, 'db'>, endpointId: string): Promise<string> =>
  Object.values((await findNewestVersion.first(ctx.db, { endpointId })) ?? {}).join('.');

/** Counts due deliveries, and returns the age of the oldest one in ms. */
export async function countWaitingDeliveries({ db, clock }: Pick<Ctx, 'db' | 'clock'>) {
  const now = clock.now();
  const row = await countWaiting.first(db, { now });
  return { due: Number(row?.due ?? 0), delay: now - (row?.oldestDueAt ?? now) };
}

async function getDeliveryRow(ctx: Pick<Ctx, 'db'>, endpointId: string, id: string): Promise<DeliveryRow> {
  const row = await findDeliveryRow.first(ctx.db, { endpointId, id });
  if (!row) throw notFound('delivery', id);
  return row;
}

export const getDelivery = async (ctx: Pick<Ctx, 'db'>, endpointId: string, id: string): Promise<Delivery> =>
  toDelivery(await getDeliveryRow(ctx, endpointId, id));

/** Sends the message of a delivery again with the same ID. Returns the ID of the new delivery. */
export async function replayDelivery(ctx: Ctx, endpointId: string, id: string): Promise<string> {
  const row = await getDeliveryRow(ctx, endpointId, id);
  if (row.state === 'Waiting') throw conflict('The delivery is still in progress. Wait until it has ended.');
  const { source_id: sourceId, message_id: messageId, kind, subject } = row;
  const replay = Number((await lastReplay.first(ctx.db, { endpointId, sourceId }))?.replay ?? 0) + 1;
  return addDelivery(ctx, { endpointId, sourceId, kind, subject, replay, messageId });
}
