import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { WhoseParts } from '../engine.ts';
import { finished, type Load, partitionOf } from './holdings.ts';
import { onOne, type Replica } from './replicas.ts';

/** How long, and how often so long, other replicas are waited for. */
const LAG = SECOND / 5;
const MOST_LAGS = 50;

/** Each partition as the replica has it that has most of it, and touched it last. */
function mostOf(loads: readonly Load[]): Load[] {
  const found = Map.groupBy(loads, partitionOf).values();
  return [...found].flatMap((same) => {
    const age = Math.min(...same.map((each) => each.age));
    return same
      .toSorted((a, b) => b.rows - a.rows)
      .slice(0, 1)
      .map((each) => ({ ...each, age }));
  });
}

/** What each replica holds that can be asked, and why others cannot. */
async function listLoads(replicas: readonly Replica[]) {
  const held: { replica: Replica; loads: Load[] }[] = [];
  const failures: unknown[] = [];
  const look = async (replica: Replica) => {
    const loads = await replica.holdings.list();
    held.push({ replica, loads });
  };
  await Promise.all(replicas.map((replica) => look(replica).catch((error: unknown) => failures.push(error))));
  return { held, failures };
}

export interface Dropping {
  whose: WhoseParts;
  /** Whether an app belongs to these replicas. */
  isHere(appId: string): boolean;
  /** Nobody adds to an attempt to take in a part after so many seconds without a sign of it. */
  abandoned: number;
}

/** Drops parts that nobody reads any more; those of other shards, doubles and halves when nobody can be at work on them. */
export async function dropLoads(replicas: readonly Replica[], { whose, isHere, abandoned }: Dropping): Promise<void> {
  const { held, failures } = await listLoads(replicas);
  const loads = mostOf(held.flatMap(({ loads }) => loads));
  const owners = await whose([...new Set(loads.map(({ part }) => part))]);
  const used = new Map(
    finished(loads.filter(({ part }) => isHere(owners.get(part) ?? '')))
      .reverse()
      .map(({ part, load }) => [part, load]),
  );
  const gone = loads.filter(({ part, load, age }) => !owners.has(part) || (used.get(part) !== load && age > abandoned));
  if (gone.length > 0) {
    const holders = held.flatMap(({ replica, loads }) => (loads.length > 0 ? replica : []));
    await onOne(holders, ({ holdings }) => holdings.drop(gone));
    for (const { holdings } of replicas) holdings.forget(gone);
    await waitUntilGone(replicas, new Set(gone.map(partitionOf)));
  }
  // What is gone elsewhere is gone; that it still lies on a server that is away is told all the same.
  if (failures.length > 0) throw failures[0];
}

/** Replicas that are well follow within moments. */
async function waitUntilGone(replicas: readonly Replica[], partitions: ReadonlySet<string>): Promise<void> {
  for (let lags = 0; replicas.length > 1; lags += 1) {
    const { held, failures } = await listLoads(replicas);
    const isGone = held.every(({ loads }) => !loads.some((each) => partitions.has(partitionOf(each))));
    if (isGone && failures.length > 0) throw failures[0];
    if (isGone) return;
    if (lags > MOST_LAGS) throw unavailable('A replica of ClickHouse still holds what was dropped; try again.');
    await wait(LAG);
  }
}
