import type { Client } from './client.ts';
import { quoted, TABLE } from './reading.ts';

/** An attempt to take in a part, by its partition. */
export interface LoadRef {
  part: string;
  load: number;
  /** How many rows the part has. */
  total: number;
}

export interface Load extends LoadRef {
  rows: number;
  /** Seconds since anything was added to it. */
  age: number;
  /** What its rows lie in. */
  pieces: readonly string[];
  /** The same, and what was merged into those lately. */
  traces: readonly string[];
}

const DROPPED_AT_ONCE = 100;
const MOST_KNOWN = 100_000;

export const partitionOf = ({ part, load, total }: LoadRef): string => `(${quoted(part)},${load},${total})`;

/** Where a part was taken in twice, everybody uses the one with the lower number. */
export const finished = <L extends Load>(loads: readonly L[]): L[] =>
  loads.filter(({ rows, total }) => rows === total).sort((a, b) => a.load - b.load);

export interface Holdings {
  list(where?: string): Promise<Load[]>;
  /** The numbers under which parts are held, as far as they are. */
  find(ids: readonly string[]): Promise<Map<string, number>>;
  /** Whether all of it has been there since it was found. */
  isThere(loads: ReadonlyMap<string, number>): Promise<boolean>;
  drop(loads: readonly LoadRef[]): Promise<void>;
  /** Looks again before it says that it has these. */
  forget(loads: readonly LoadRef[]): void;
}

/** Knows which parts one server holds. Nothing but its own list of partitions is believed. */
export function createHoldings(client: Client): Holdings {
  const known = new Map<string, Load>();

  async function list(where = '1'): Promise<Load[]> {
    const piece = 'toString(cityHash64(name, toString(modification_time)))';
    const rows = await client.rows(`SELECT partition, sumIf(rows, active) AS found,
        toUInt32(now()) - toUInt32(maxIf(modification_time, active)) AS age,
        groupArrayIf(${piece}, active) AS pieces, groupArray(${piece}) AS traces
      FROM system.parts WHERE database = currentDatabase() AND table = '${TABLE}' AND ${where}
      GROUP BY partition HAVING countIf(active) > 0`);
    return rows.flatMap(({ partition, found, age, pieces, traces }) => {
      const [, part, load, total] = /^\('([^']*)',(\d+),(\d+)\)$/.exec(String(partition)) ?? [];
      if (part === undefined) return [];
      const ref = { part, load: Number(load), total: Number(total) };
      return { ...ref, rows: Number(found), age: Number(age), pieces: pieces as string[], traces: traces as string[] };
    });
  }

  return {
    list,
    async find(ids) {
      const unknown = ids.filter((id) => !known.has(id));
      if (unknown.length > 0) {
        const loads = await list(`extract(partition, '^..([^\\']*)') IN (${unknown.map(quoted).join()})`);
        if (known.size > MOST_KNOWN) known.clear();
        for (const each of finished(loads)) if (!known.has(each.part)) known.set(each.part, each);
      }
      return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)?.load ?? 0]] : [])));
    },
    async isThere(loads) {
      const wanted = [...loads.keys()].flatMap((id) => known.get(id) ?? []);
      if (wanted.length < loads.size) return false;
      if (wanted.length === 0) return true;
      const found = finished(await list(`partition IN (${wanted.map((each) => quoted(partitionOf(each))).join()})`));
      const byNumber = new Map(found.map((each) => [each.load, each]));
      let isAllThere = true;
      for (const { part, load, pieces } of wanted) {
        const now = byNumber.get(load);
        // A replica that lost a piece fetches it from another: it may have been away and be back.
        const stayed = now && loads.get(part) === load && pieces.every((piece) => now.traces.includes(piece));
        if (stayed) known.set(part, now);
        else known.delete(part);
        isAllThere &&= stayed === true;
      }
      return isAllThere;
    },
    async drop(loads) {
      for (let at = 0; at < loads.length; at += DROPPED_AT_ONCE) {
        const some = loads.slice(at, at + DROPPED_AT_ONCE);
        await client.run(
          `ALTER TABLE ${TABLE} ${some.map((each) => `DROP PARTITION ${partitionOf(each)}`).join(', ')}`,
        );
      }
    },
    forget(loads) {
      for (const { part } of loads) known.delete(part);
    },
  };
}
