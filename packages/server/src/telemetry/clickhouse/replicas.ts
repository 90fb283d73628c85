import { SECOND } from '../../kernel/clock.ts';
import { type Client, type ClientOptions, createClient, ServerTrouble } from './client.ts';
import { createHoldings, type Holdings } from './holdings.ts';
import { ranked } from './rendezvous.ts';

export interface Replica {
  readonly name: string;
  readonly client: Client;
  readonly holdings: Holdings;
  /** How many questions it works on. */
  busy: number;
  /** Whether its table is known to be one that is copied. */
  isMade: boolean;
  /** When to look whether it is well again. */
  awayUntil: number | undefined;
}

/** For how long a replica is left alone that was in trouble. */
const LEFT_ALONE = 10 * SECOND;

export function openReplica(options: ClientOptions): Replica {
  const client = createClient(options);
  return { name: client.name, client, holdings: createHoldings(client), busy: 0, isMade: false, awayUntil: undefined };
}

/** Those that are well first, then those with less to do, then as everybody has them for an app: its rows are in their memory. */
export function inOrder(replicas: readonly Replica[], appId: string): Replica[] {
  for (const replica of replicas) {
    if (replica.awayUntil === undefined || replica.awayUntil > Date.now()) continue;
    leaveAlone(replica);
    // Nobody who asks waits for this.
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

function leaveAlone(replica: Replica): void {
  replica.awayUntil = Date.now() + LEFT_ALONE;
}

/** What another replica may do better; what fails everywhere is thrown. */
export function troubleOf(replica: Replica, error: unknown): ServerTrouble {
  if (!(error instanceof ServerTrouble)) throw error;
  leaveAlone(replica);
  return error;
}

/** Has the first of them do something that can. One that cannot write may still answer, and is not left alone for it. */
export async function onOne(replicas: readonly Replica[], work: (replica: Replica) => Promise<void>): Promise<void> {
  let trouble: ServerTrouble | undefined;
  for (const replica of replicas) {
    try {
      return await work(replica);
    } catch (error) {
      if (!(error instanceof ServerTrouble)) throw error;
      trouble = error;
    }
  }
  throw trouble;
}
