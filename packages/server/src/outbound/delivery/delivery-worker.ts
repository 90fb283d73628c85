import { type Ctx, type Deps, systemCtx } from '../../context.ts';
import { isUnavailable } from '../../db/portable.ts';
import { tx } from '../../db/tx.ts';
import { createPump, LEASE, type Worker } from '../../jobs/index.ts';
import { cancelWaiting, claimDeliveries, listWaitingEndpoints, renewDeliveries } from './deliveries.store.ts';
import type { Channel } from './deliveries.ts';
import { type Ended, saveOutcomes } from './endpoint-health.ts';
import type { EndpointRow } from './endpoints.store.ts';
import { createInFlight, type ServedEndpoint } from './in-flight.ts';
import { createReads, type Reads } from './reads.ts';
import { send, type Taken } from './sending.ts';

/** Deliveries per turn. More would delay other requests to this server. */
const BATCH_SIZE = 128;
/** Limit of cached owners of endpoints. */
const MAX_OWNERS = 100_000;
/** Collects the results of several deliveries for one write. */
const GATHER_MS = 5;

type Served = EndpointRow & ServedEndpoint;

/**
 * Sends due deliveries, many concurrently. One transaction saves the results of finished ones and claims the next.
 * Another process claims those of a dead process once their lease expires, so every message is sent at least once.
 */
export function createDeliveryWorker(deps: Deps, channels: readonly Channel[]): Worker {
  const { clock, log } = deps;
  const lease = deps.newId();
  const flights = createInFlight();
  const underWay = new Map<string, Promise<void>>();
  const ended: Ended[] = [];
  let isStopped = false;
  let lastServed = '';

  const findChannel = ({ channel }: EndpointRow) => channels.find(({ name }) => name === channel);
  const owners = new Map<string, string>();

  const toServed = (row: EndpointRow): Served => ({
    ...row,
    ownerId: owners.get(row.id) ?? row.id,
    isFailing: row.failing_since !== null,
  });

  /** Adds the owners of endpoints. An endpoint whose webhook was just deleted has none, and counts as its own owner. */
  async function addOwners(endpoints: readonly EndpointRow[]): Promise<Served[]> {
    if (owners.size > MAX_OWNERS) owners.clear();
    const unknown = endpoints.filter(({ id }) => !owners.has(id));
    for (const [channel, some] of Map.groupBy(unknown, findChannel)) {
      const ids = some.map(({ id }) => id);
      const found = (await channel?.findOwners(deps, ids)) ?? new Map<string, string>();
      for (const id of ids) owners.set(id, found.get(id) ?? id);
    }
    return endpoints.map(toServed);
  }

  /** Endpoints that can be served now, or are disabled, in the order of turns. */
  async function listServed(): Promise<Served[]> {
    if (isStopped) return [];
    const waiting = await listWaitingEndpoints.all(deps.db, { now: clock.now() });
    // Channels of a newer version are left to processes that know them.
    const owned = await addOwners(waiting.filter(findChannel));
    const served = owned.filter((one) => one.is_enabled === 0 || flights.getCapacity(one) > 0);
    return [...served.filter(({ id }) => id > lastServed), ...served.filter(({ id }) => id <= lastServed)];
  }

  async function take(ctx: Ctx, endpoints: readonly Served[]): Promise<Taken[]> {
    const now = clock.now();
    for (const { id: endpointId, is_enabled } of endpoints) {
      if (is_enabled === 0) await cancelWaiting.run(ctx.db, { endpointId, at: now });
    }
    const enabled = endpoints.filter(({ is_enabled }) => is_enabled === 1);
    // All endpoints get the same share, so that a message to many endpoints is prepared in few turns, with few queries.
    const share = Math.max(1, Math.floor(BATCH_SIZE / enabled.length));
    const shared = flights.shareCapacity(enabled, share).filter(({ count }) => count > 0);
    const served = shared.slice(0, BATCH_SIZE).map(({ endpoint }) => endpoint);
    const requested = shared.slice(0, BATCH_SIZE).map(({ endpoint: { id }, count }) => ({ id, count }));
    const claimed = await claimDeliveries(ctx.db, { requested, now, lease, until: now + LEASE });
    const byId = new Map(served.map((endpoint) => [endpoint.id, endpoint]));
    lastServed = served.at(-1)?.id ?? lastServed;
    return claimed.flatMap((delivery) => {
      const endpoint = byId.get(delivery.endpoint_id);
      return endpoint ? [{ ...delivery, endpoint }] : [];
    });
  }

  async function attempt(ctx: Ctx, delivery: Taken, reads: Reads): Promise<void> {
    const { id, endpoint, attempts } = delivery;
    const channel = findChannel(endpoint);
    if (!channel) return;
    flights.begin(toServed(endpoint));
    const end = await send(ctx, channel, delivery, reads);
    flights.end(endpoint.id, end.state !== 'Failed', 'attempt' in end ? end.attempt.ms : 0);
    const line = { delivery: id, endpoint: endpoint.id, attempt: attempts };
    if (end.state !== 'Failed') log.debug(line, 'delivery ended');
    else log.warn({ ...line, status: end.attempt.status, error: end.attempt.error }, 'delivery failed');
    ended.push({ delivery, channel, end });
  }

  async function turn(): Promise<number> {
    const endpoints = await listServed();
    const written = ended.splice(0);
    if (written.length + endpoints.length === 0) return 0;
    const ctx = systemCtx(deps);
    try {
      const taken = await tx(ctx, async (ctx) => {
        if (written.length > 0) await saveOutcomes(ctx, lease, written);
        return take(ctx, endpoints);
      });
      const reads = createReads();
      for (const delivery of taken) {
        const run = attempt(ctx, delivery, reads).finally(() => {
          underWay.delete(delivery.id);
          pump.wake();
        });
        underWay.set(delivery.id, run);
      }
      return taken.length;
    } catch (err) {
      // Otherwise their leases expire, and they are sent again.
      if (isUnavailable(err)) ended.unshift(...written);
      throw err;
    }
  }

  const renew = async (): Promise<void> => {
    const ids = [...underWay.keys(), ...ended.map(({ delivery }) => delivery.id)];
    if (ids.length > 0) await tx(deps, ({ db }) => renewDeliveries(db, { ids, lease, until: clock.now() + LEASE }));
  };
  const pump = createPump({ log, take: turn, renew, gatherMs: GATHER_MS });

  return {
    start: async () => pump.start(),
    wake: pump.wake,
    async runDue() {
      for (let ran = 0; ; ) {
        ran += await turn();
        if (underWay.size + ended.length === 0) return ran;
        // Does not wait for all, so that a slow delivery does not delay others.
        if (ended.length === 0) await Promise.race(underWay.values());
      }
    },
    renew,
    stop: () =>
      pump.stop(async () => {
        isStopped = true;
        await Promise.all(underWay.values());
        await turn().catch((err: unknown) => log.error({ err }, 'failed to save the results of deliveries'));
      }),
  };
}
