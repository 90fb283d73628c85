import { SECOND } from '../../kernel/clock.ts';
import { type Client, type ClientOptions, createClient, ServerProblem } from './client.ts';
import { createInventory, type Inventory } from './inventory.ts';
import { ranked } from './rendezvous.ts';

export interface Replica {
  readonly name: string;
  readonly client: Client;
  readonly inventory: Inventory;
  /** Number of running queries. */
  busy: number;
  /** True once its table is known to be replicated. */
  isMade: boolean;
  /** Time of the next health check of a failed replica. */
  awayUntil: number | undefined;
}

/** How long a failed replica is avoided. */
const AVOID_MS = 10 * SECOND;

export function openReplica(options: ClientOptions): Replica {
  const client = createClient(options);
  return {
    name: client.name,
    client,
    inventory: createInventory(client),
    busy: 0,
    isMade: false,
    awayUntil: undefined,
  };
}

/** Healthy replicas first, then those with fewer queries, then by app, because its rows are in their memory. */
export function inOrder(replicas: readonly Replica[], appId: string): Replica[] {
  for (const replica of replicas) {
    if (replica.awayUntil === undefined || replica.awayUntil > Date.now()) continue;
    avoid(replica);
    // Queries do not wait for this check.
    replica.client.check().then(
      () => {
        replica.awayUntil = undefined;
      },
      () => undefined,
    );
  }
  const isAway = ({ awayUntil }: Replica) => Number(awayUntil !== undefined);
  return ranked(replicas, appId).sort((a, b) => isAway(a) - isAway(b) || a.busy - b.busy);
}

function avoid(replica: Replica): void {
  replica.awayUntil = Date.now() + AVOID_MS;
}

/** Returns an error that another replica may not have; throws other errors. */
export function toServerProblem(replica: Replica, error: unknown): ServerProblem {
  if (!(error instanceof ServerProblem)) throw error;
  avoid(replica);
  return error;
}

/**
 * Runs work on the first replica that succeeds. A replica that can't write may still be able to read, so it is not
 * avoided.
 */
export async function onOne(replicas: readonly Replica[], work: (replica: Replica) => Promise<void>): Promise<void> {
  let problem: ServerProblem | undefined;
  for (const replica of replicas) {
    try {
      return await work(replica);
    } catch (error) {
      if (!(error instanceof ServerProblem)) throw error;
      problem = error;
    }
  }
  throw problem;
}
