import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { WhoseParts } from '../engine.ts';
import { finished, type Load, toPartition } from './inventory.ts';
import { onOne, type Replica } from './replicas.ts';

/** Interval and maximum number of checks while replicas catch up. */
const LAG = SECOND / 5;
const MAX_LAGS = 50;

/** State of each partition: the most rows of any replica, and the age of its latest change. */
function selectFullestLoads(loads: readonly Load[]): Load[] {
  const found = Map.groupBy(loads, toPartition).values();
  return [...found].flatMap((same) => {
    const age = Math.min(...same.map((each) => each.age));
    return same
      .toSorted((a, b) => b.rows - a.rows)
      .slice(0, 1)
      .map((each) => ({ ...each, age }));
  });
}

/** Partitions of each replica that responds, and the errors of the others. */
async function listLoads(replicas: readonly Replica[]) {
  const held: { replica: Replica; loads: Load[] }[] = [];
  const failures: unknown[] = [];
  const look = async (replica: Replica) => {
    const loads = await replica.inventory.list();
    held.push({ replica, loads });
  };
  await Promise.all(replicas.map((replica) => look(replica).catch((error: unknown) => failures.push(error))));
  return { held, failures };
}

export interface Dropping {
  whose: WhoseParts;
  /** True if an app belongs to these replicas. */
  isHere(appId: string): boolean;
  /** A load without any change for this many seconds counts as abandoned. */
  abandoned: number;
}

/** Drops parts that are no longer read, those of other shards, and duplicate or incomplete loads that are abandoned. */
export async function dropLoads(replicas: readonly Replica[], { whose, isHere, abandoned }: Dropping): Promise<void> {
  const { held, failures } = await listLoads(replicas);
  const loads = selectFullestLoads(held.flatMap(({ loads }) => loads));
  const owners = await whose([...new Set(loads.map(({ part }) => part))]);
  const used = new Map(
    finished(loads.filter(({ part }) => isHere(owners.get(part) ?? '')))
      .reverse()
      .map(({ part, load }) => [part, load]),
  );
  const gone = loads.filter(({ part, load, age }) => !owners.has(part) || (used.get(part) !== load && age > abandoned));
  if (gone.length > 0) {
    const holders = held.flatMap(({ replica, loads }) => (loads.length > 0 ? replica : []));
    await onOne(holders, ({ inventory }) => inventory.drop(gone));
    for (const { inventory } of replicas) inventory.invalidate(gone);
    await waitUntilGone(replicas, new Set(gone.map(toPartition)));
  }
  // The partitions are dropped on the other replicas; still report a replica that could not be checked.
  if (failures.length > 0) throw failures[0];
}

/** Healthy replicas follow within moments. */
async function waitUntilGone(replicas: readonly Replica[], partitions: ReadonlySet<string>): Promise<void> {
  for (let lags = 0; replicas.length > 1; lags += 1) {
    const { held, failures } = await listLoads(replicas);
    const isGone = held.every(({ loads }) => !loads.some((each) => partitions.has(toPartition(each))));
    if (isGone && failures.length > 0) throw failures[0];
    if (isGone) return;
    if (lags > MAX_LAGS)
      throw unavailable('A replica of ClickHouse has not finished deleting data. Retry in a moment.');
    await wait(LAG);
  }
}
