import type { Client } from './client.ts';
import { quoted, TABLE } from './reading.ts';

/** A load of a part: one attempt to insert it, in its own partition. */
export interface LoadRef {
  part: string;
  load: number;
  /** Number of rows of the part. */
  total: number;
}

export interface Load extends LoadRef {
  rows: number;
  /** Seconds since its last change. */
  age: number;
  /** Its active data parts in ClickHouse. */
  fragments: readonly string[];
  /** The same, including those that were recently merged. */
  traces: readonly string[];
}

const DROP_BATCH_SIZE = 100;
const MAX_CACHED_LOADS = 100_000;

export const toPartition = ({ part, load, total }: LoadRef): string => `(${quoted(part)},${load},${total})`;

/** Complete loads. If a part was loaded twice, all processes use the one with the lower number. */
export const finished = <L extends Load>(loads: readonly L[]): L[] =>
  loads.filter(({ rows, total }) => rows === total).sort((a, b) => a.load - b.load);

export interface Inventory {
  list(where?: string): Promise<Load[]>;
  /** Finds the existing loads of parts. */
  find(ids: readonly string[]): Promise<Map<string, number>>;
  /** True if these loads have been complete since they were found. */
  isThere(loads: ReadonlyMap<string, number>): Promise<boolean>;
  drop(loads: readonly LoadRef[]): Promise<void>;
  /** Removes loads from the cache. */
  invalidate(loads: readonly LoadRef[]): void;
}

/** Tracks which parts a server holds, based only on ClickHouse's own list of partitions. */
export function createInventory(client: Client): Inventory {
  const loadsByPart = new Map<string, Load>();

  async function list(where = '1'): Promise<Load[]> {
    const fragment = 'toString(cityHash64(name, toString(modification_time)))';
    const rows = await client.rows(`SELECT partition, sumIf(rows, active) AS found,
        toUInt32(now()) - toUInt32(maxIf(modification_time, active)) AS age,
        groupArrayIf(${fragment}, active) AS pieces, groupArray(${fragment}) AS traces
      FROM system.parts WHERE database = currentDatabase() AND table = '${TABLE}' AND ${where}
      GROUP BY partition HAVING countIf(active) > 0`);
    return rows.flatMap(({ partition, found, age, pieces, traces }) => {
      const [, part, load, total] = /^\('([^']*)',(\d+),(\d+)\)$/.exec(String(partition)) ?? [];
      if (part === undefined) return [];
      const ref = { part, load: Number(load), total: Number(total) };
      return {
        ...ref,
        rows: Number(found),
        age: Number(age),
        fragments: pieces as string[],
        traces: traces as string[],
      };
    });
  }

  return {
    list,
    async find(ids) {
      const unknown = ids.filter((id) => !loadsByPart.has(id));
      if (unknown.length > 0) {
        const loads = await list(`extract(partition, '^..([^\\']*)') IN (${unknown.map(quoted).join()})`);
        if (loadsByPart.size > MAX_CACHED_LOADS) loadsByPart.clear();
        for (const each of finished(loads)) if (!loadsByPart.has(each.part)) loadsByPart.set(each.part, each);
      }
      return new Map(ids.flatMap((id) => (loadsByPart.has(id) ? [[id, loadsByPart.get(id)?.load ?? 0]] : [])));
    },
    async isThere(loads) {
      const cached = [...loads.keys()].flatMap((id) => loadsByPart.get(id) ?? []);
      if (cached.length < loads.size) return false;
      if (cached.length === 0) return true;
      const found = finished(await list(`partition IN (${cached.map((each) => quoted(toPartition(each))).join()})`));
      const byNumber = new Map(found.map((each) => [each.load, each]));
      let isAllThere = true;
      for (const { part, load, fragments } of cached) {
        const now = byNumber.get(load);
        // A replica that lost a data part fetches it again; in between it was incomplete.
        const stayed = now && loads.get(part) === load && fragments.every((fragment) => now.traces.includes(fragment));
        if (stayed) loadsByPart.set(part, now);
        else loadsByPart.delete(part);
        isAllThere &&= stayed === true;
      }
      return isAllThere;
    },
    async drop(loads) {
      for (let at = 0; at < loads.length; at += DROP_BATCH_SIZE) {
        const some = loads.slice(at, at + DROP_BATCH_SIZE);
        await client.run(
          `ALTER TABLE ${TABLE} ${some.map((each) => `DROP PARTITION ${toPartition(each)}`).join(', ')}`,
        );
      }
    },
    invalidate(loads) {
      for (const { part } of loads) loadsByPart.delete(part);
    },
  };
}
