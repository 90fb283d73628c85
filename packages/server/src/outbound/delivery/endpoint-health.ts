import type { Ctx } from '../../context.ts';
import { backOff } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { type DeliveryRow, endDeliveries, insertAttempts, postponeDeliveries } from './deliveries.store.ts';
import type { Channel } from './deliveries.ts';
import { type EndpointRow, saveFailures, saveSuccesses } from './endpoints.store.ts';
import { type DisabledReason, disableEndpoint } from './endpoints.ts';
import { type End, MAX_ATTEMPTS, type Taken } from './sending.ts';

/** An endpoint that has only failed for this long is disabled. */
const DISABLE_AFTER = 5 * DAY;
const GONE = 410;

export interface Ended {
  delivery: Taken;
  channel: Channel;
  end: End;
}

const isGone = ({ end }: Ended): boolean => end.state === 'Failed' && end.attempt.status === GONE;
const isOver = (one: Ended): boolean => isGone(one) || one.delivery.attempts >= MAX_ATTEMPTS;
const getEndpoint = ({ delivery }: Ended): EndpointRow => delivery.endpoint;

async function disable(ctx: Ctx, { delivery, channel }: Ended, reason: DisabledReason): Promise<void> {
  const { id, url } = delivery.endpoint;
  if (await disableEndpoint(ctx, id, reason)) await channel.onDisabled(ctx, { id, url }, reason);
}

/**
 * Updates which endpoints are failing, and disables those that failed for too long. One success is enough to count as
 * healthy.
 */
async function updateEndpointHealth(ctx: Ctx, ended: readonly Ended[], at: number): Promise<void> {
  const healthy = new Set(ended.filter(({ end }) => end.state === 'Delivered').map((one) => getEndpoint(one).id));
  if (healthy.size > 0) await saveSuccesses(ctx.db, [...healthy]);
  const failing = new Set(
    ended.filter(({ end }) => end.state === 'Failed').map((one) => getEndpoint(one).id),
  ).difference(healthy);
  const since = new Map<string, number>();
  if (failing.size > 0) {
    for (const { id, failing_since } of await saveFailures(ctx.db, [...failing], at))
      since.set(id, failing_since ?? at);
  }
  for (const one of ended) {
    if (one.end.state === 'Cancelled' && one.end.reason) await disable(ctx, one, one.end.reason);
    if (one.end.state !== 'Failed') continue;
    if (isGone(one)) await disable(ctx, one, 'Gone');
    else if (at - (since.get(getEndpoint(one).id) ?? at) >= DISABLE_AFTER) await disable(ctx, one, 'Failing');
  }
}

/**
 * Saves the results of attempts with this lease, in the caller's transaction. Deliveries that were deleted, or claimed
 * by another process after the lease expired, do not change. Endpoints are locked first, as when one is deleted.
 */
export async function saveOutcomes(ctx: Ctx, lease: string, ended: readonly Ended[]): Promise<void> {
  const at = ctx.clock.now();
  await updateEndpointHealth(ctx, ended, at);
  const ours = new Set<string>();
  const close = async (state: DeliveryRow['state'], some: readonly Ended[]) => {
    const ids = some.map(({ delivery }) => delivery.id);
    if (ids.length === 0) return;
    for (const { id } of await endDeliveries(ctx.db, { ids, lease, state, at })) ours.add(id);
  };
  const by = Object.groupBy(ended, (one) => (one.end.state === 'Failed' && !isOver(one) ? 'Waiting' : one.end.state));
  await close('Delivered', by.Delivered ?? []);
  await close('Failed', by.Failed ?? []);
  await close('Cancelled', by.Cancelled ?? []);
  const postponed = (by.Waiting ?? []).map(({ delivery }) => ({
    id: delivery.id,
    dueAt: at + backOff(delivery.attempts),
  }));
  if (postponed.length > 0) for (const { id } of await postponeDeliveries(ctx.db, lease, postponed)) ours.add(id);
  const attempts = ended.flatMap(({ delivery, end }) =>
    end.state !== 'Cancelled' && ours.has(delivery.id)
      ? [{ ...end.attempt, delivery_id: delivery.id, number: delivery.attempts, at }]
      : [],
  );
  if (attempts.length > 0) await insertAttempts(ctx.db, attempts);
}
