import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createSemaphore } from '../../kernel/semaphore.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { Part } from '../engine.ts';
import { dimensions } from '../questions.ts';
import { ClickhouseError, type Client } from './client.ts';
import { quoted, TABLE } from './reading.ts';

/**
 * One partition is one attempt to take in a part, and says how many rows that has: with fewer it is not finished, or never
 * will be. An operator may make the table before, with another engine.
 */
export const tableStatement = `CREATE TABLE IF NOT EXISTS ${TABLE} (part String, load UInt64, total UInt64, type String,
  ts Int64, device UUID, session UUID, name String, ${[...dimensions, 'oem', 'screen', 'api'].map((name) => `${name} String`).join(', ')},
  user Nullable(String), property_names Array(String), property_values Array(String), property_dates Array(Int64))
  ENGINE = MergeTree PARTITION BY (part, load, total) ORDER BY (type, name, device, ts)`;

/** An attempt, by its partition. */
interface Load {
  part: string;
  load: number;
  total: number;
  rows: number;
  /** Seconds since anything was added to it. */
  age: number;
}

/** What is taken in at once: many small parts, or one that is large. */
const MOST_BYTES = 64 * 1024 ** 2;
const MOST_PARTS = 50;
/** Nobody adds to an attempt after so many seconds without a sign of it. */
const ABANDONED = 900;
const DROPPED_AT_ONCE = 100;
const MOST_KNOWN = 100_000;

const partitionOf = ({ part, load, total }: Pick<Load, 'part' | 'load' | 'total'>): string =>
  `(${quoted(part)},${load},${total})`;

export interface Loader {
  /** The numbers under which parts are held, as far as they are. */
  find(ids: readonly string[]): Promise<Map<string, number>>;
  /** The same of all of these parts; what is not held is taken in. */
  take(parts: readonly Part[]): Promise<Map<string, number>>;
  /** Whether all of it is still there. What was is never there again under the same number. */
  isThere(loads: ReadonlyMap<string, number>): Promise<boolean>;
  drop(unread: (held: readonly string[]) => Promise<readonly string[]>): Promise<void>;
}

/** Knows which parts ClickHouse holds. Nothing but its own list of partitions is believed. */
export function createLoader(client: Client, duckdb: Pick<DuckdbEngine, 'withRows'>, abandoned = ABANDONED): Loader {
  const known = new Map<string, Load>();
  const taking = new Map<string, Promise<void>>();
  const turn = createSemaphore(1);

  async function listLoads(where: string): Promise<Load[]> {
    const rows = await client.rows(`SELECT partition, sum(rows) AS found,
        toUInt32(now()) - toUInt32(max(modification_time)) AS age
      FROM system.parts WHERE database = currentDatabase() AND table = '${TABLE}' AND active AND ${where}
      GROUP BY partition`);
    return rows.flatMap(({ partition, found, age }) => {
      const [, part, load, total] = /^\('([^']*)',(\d+),(\d+)\)$/.exec(String(partition)) ?? [];
      return part === undefined
        ? []
        : { part, load: Number(load), total: Number(total), rows: Number(found), age: Number(age) };
    });
  }

  /** Where two processes took in the same part, everybody uses the one with the lower number. */
  const finished = (loads: readonly Load[]): Load[] =>
    loads.filter(({ rows, total }) => rows === total).sort((a, b) => a.load - b.load);

  async function find(ids: readonly string[]): Promise<Map<string, number>> {
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      const loads = await listLoads(`extract(partition, '^..([^\\']*)') IN (${unknown.map(quoted).join()})`);
      if (known.size > MOST_KNOWN) known.clear();
      for (const each of finished(loads)) if (!known.has(each.part)) known.set(each.part, each);
    }
    return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)?.load ?? 0]] : [])));
  }

  async function insert(parts: readonly Part[]): Promise<void> {
    const attempts = parts.map((part) => ({ part, load: randomInt(1, 2 ** 48 - 1) }));
    await client.run(tableStatement);
    await duckdb.withRows(attempts, async (file, totals) => {
      const loads = attempts.map(({ part, load }, at) => ({ part: part.id, load, total: totals[at] ?? 0 }));
      try {
        await client.insert(TABLE, file);
      } catch (error) {
        // What is half there is in nobody's way, and goes when it is tidied up if it does not now.
        await dropAll(loads).catch(() => undefined);
        throw error;
      }
    });
    for (const { part } of attempts) known.delete(part.id);
  }

  async function chunksOf(parts: readonly Part[]): Promise<Part[][]> {
    const chunks: Part[][] = [];
    let room = 0;
    for (const part of parts) {
      const size = (await stat(part.logs).catch(() => undefined))?.size ?? 0;
      const last = chunks.at(-1);
      room -= size;
      if (last && room >= 0 && last.length < MOST_PARTS) last.push(part);
      else {
        chunks.push([part]);
        room = MOST_BYTES - size;
      }
    }
    return chunks;
  }

  async function dropAll(loads: readonly Pick<Load, 'part' | 'load' | 'total'>[]): Promise<void> {
    for (let at = 0; at < loads.length; at += DROPPED_AT_ONCE) {
      const some = loads.slice(at, at + DROPPED_AT_ONCE);
      await client.run(`ALTER TABLE ${TABLE} ${some.map((each) => `DROP PARTITION ${partitionOf(each)}`).join(', ')}`);
      for (const { part } of some) known.delete(part);
    }
  }

  return {
    find,
    async take(parts) {
      const ids = parts.map(({ id }) => id);
      const loads = await find(ids);
      const missing = parts.filter(({ id }) => !loads.has(id));
      if (missing.length === 0) return loads;
      const waiting = missing.flatMap(({ id }) => taking.get(id) ?? []);
      for (const chunk of await chunksOf(missing.filter(({ id }) => !taking.has(id)))) {
        const work = turn(() => insert(chunk)).finally(() => {
          for (const { id } of chunk) taking.delete(id);
        });
        for (const { id } of chunk) taking.set(id, work);
        waiting.push(work);
      }
      await Promise.all(waiting);
      return find(ids);
    },
    async isThere(loads) {
      const wanted = [...loads.keys()].flatMap((id) => known.get(id) ?? []);
      if (wanted.length < loads.size) return false;
      if (wanted.length === 0) return true;
      const found = finished(
        await listLoads(`partition IN (${wanted.map((each) => quoted(partitionOf(each))).join()})`),
      );
      const there = new Set(found.map(({ load }) => load));
      const lost = wanted.filter(({ part, load }) => !there.has(load) || loads.get(part) !== load);
      for (const { part } of lost) known.delete(part);
      return lost.length === 0;
    },
    async drop(unread) {
      const loads = await listLoads('1').catch((error: unknown) => {
        if (error instanceof ClickhouseError) return [];
        throw error;
      });
      const gone = new Set(await unread([...new Set(loads.map(({ part }) => part))]));
      const used = new Map(
        finished(loads)
          .reverse()
          .map(({ part, load }) => [part, load]),
      );
      await dropAll(
        loads.filter(({ part, load, age }) => gone.has(part) || (used.get(part) !== load && age > abandoned)),
      );
    },
  };
}
